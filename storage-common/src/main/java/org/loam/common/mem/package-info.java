/**
 * Off-heap memory: raw addresses, the page pool that feeds write memory and buffer cache, the fixed
 * blocks beside it, and epochs that say when shared memory may be released.
 *
 * <p>Read {@link Mem} first, then {@link PagePool} and {@link Epochs}.
 *
 * <p>The only package that touches {@code sun.misc.Unsafe}. With {@code -Dloam.mem.check=true}
 * every access is checked for bounds and poison; the tests run in both modes. Invariant: no address
 * outlives the reservation, pin or view it came from. Uses: {@code common.env} for waiting, {@code
 * common.error}.
 */
@NullMarked
package org.loam.common.mem;

import org.jspecify.annotations.NullMarked;
