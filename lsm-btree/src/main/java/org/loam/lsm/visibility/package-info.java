/**
 * Which version a reader sees: read LSNs in use, and the versions that may be thrown away.
 *
 * <p>A frame of the log is published when it was applied to all its trees and, in a SYNC engine, is
 * durable. A reader sees everything published before it began, and nothing else.
 *
 * <p>Read {@link ReadRegistry} first. Uses: what memory components ask about versions.
 */
@NullMarked
package org.loam.lsm.visibility;

import org.jspecify.annotations.NullMarked;
