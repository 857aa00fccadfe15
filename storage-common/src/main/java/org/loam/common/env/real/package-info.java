/**
 * The production side of {@code org.loam.common.env}: the only package that touches NIO channels,
 * the wall clock and threads.
 *
 * <p>The build forbids those calls everywhere else. Uses: common.env.
 */
@NullMarked
package org.loam.common.env.real;

import org.jspecify.annotations.NullMarked;
