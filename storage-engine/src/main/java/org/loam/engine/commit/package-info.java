/**
 * The way of a write: admission, write memory, the frame of the log, publication.
 *
 * <p>{@link org.loam.engine.commit.Committer} is the way itself, with all its waits; {@link
 * org.loam.engine.commit.Attempts} is what happens between two of them. Both work on {@link
 * org.loam.engine.commit.PreparedBatch}, whose trees are those of lsm; {@link
 * org.loam.engine.commit.CommitLatch} orders frames and knows how far they are applied and
 * published; {@link org.loam.engine.commit.WriteMemory} knows what of write memory is in use;
 * {@link org.loam.engine.commit.FlushTrigger} decides when it is flushed, and asks a scheme what;
 * {@link org.loam.engine.commit.Freezer} does it. Read them in this order.
 *
 * <p>Invariants: whatever can be refused is refused before the append, and a failure after it
 * fences; LSN order is the order of application; under the latch nothing waits. Uses: operation,
 * memory, notify, scheme, host, lsm, cache, log, scheduler, common.
 */
@NullMarked
package org.loam.engine.commit;

import org.jspecify.annotations.NullMarked;
