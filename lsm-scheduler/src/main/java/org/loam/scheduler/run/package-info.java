/**
 * Running flushes and merges: whose turn it is, at what speed, and when a writer has to wait.
 *
 * <p>{@link org.loam.scheduler.run.BackgroundWorkers} asks the engine, its {@link
 * org.loam.scheduler.run.WorkSource}, for {@link org.loam.scheduler.run.BackgroundOperation}s and
 * advances them by quanta; {@link org.loam.scheduler.run.MergeScheduler} divides the turns among
 * merges, {@link org.loam.scheduler.run.RateLimiter} bounds the bytes. {@link
 * org.loam.scheduler.run.WriteGate} stops the writers of a tree that has too many components, and
 * {@link org.loam.scheduler.run.StallLog} remembers every wait.
 *
 * <p>Uses: common, scheduler.merge.
 */
@NullMarked
package org.loam.scheduler.run;

import org.jspecify.annotations.NullMarked;
