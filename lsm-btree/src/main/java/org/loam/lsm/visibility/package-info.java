/**
 * Who sees which version: read LSNs in use, and what may therefore be thrown away.
 *
 * <p>A frame of the log is published when it was applied to all its trees and, in a SYNC engine, is
 * durable. A reader sees everything published before it began, and nothing else.
 */
@NullMarked
package org.loam.lsm.visibility;

import org.jspecify.annotations.NullMarked;
