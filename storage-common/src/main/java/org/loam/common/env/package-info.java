/**
 * The seam to everything that is not deterministic: files, clock, waiting, background tasks and
 * randomness.
 *
 * <p>All of it arrives as constructor arguments, so that a simulation can replace it and one seed
 * repeats all that happened. Code elsewhere in Loam reads no clock, opens no file and starts no
 * thread by itself. Implementations for production are in {@code org.loam.common.env.real}. Uses:
 * common.
 */
@NullMarked
package org.loam.common.env;

import org.jspecify.annotations.NullMarked;
