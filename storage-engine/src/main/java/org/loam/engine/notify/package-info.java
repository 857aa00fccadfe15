/**
 * Events on their way to the listener of the embedding program.
 *
 * <p>{@link org.loam.engine.notify.Events} makes events of what happens, under any lock; a thread
 * of the queue's own tells them, one after the other, and holds no lock (ADR 13).
 *
 * <p>Invariant: a thread to which something happens never waits for the listener. Uses: report,
 * lsm, scheduler, common.
 */
@NullMarked
package org.loam.engine.notify;

import org.jspecify.annotations.NullMarked;
