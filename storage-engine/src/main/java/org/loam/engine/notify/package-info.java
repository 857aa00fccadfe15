/**
 * Events on their way to the listener of the embedding program, and to the JVM's flight recorder.
 *
 * <p>{@link org.loam.engine.notify.Events} makes events of what happens, under any lock; a thread
 * of the queue's own tells them to the listener, one after the other, and holds no lock (ADR 13).
 *
 * <p>Invariant: a thread to which something happens never waits for the listener. Uses: report,
 * lsm, scheduler, common.
 */
@NullMarked
package org.loam.engine.notify;

import org.jspecify.annotations.NullMarked;
