/**
 * Work in the background: which flush or merge advances, at what speed, and when a writer waits.
 *
 * <p>{@link org.loam.scheduler.work.BackgroundWorkers} asks the engine, its {@link
 * org.loam.scheduler.work.WorkSource}, for {@link org.loam.scheduler.work.BackgroundOperation}s and
 * advances them by quanta; {@link org.loam.scheduler.work.MergeScheduler} divides the turns among
 * merges, {@link org.loam.scheduler.work.RateLimiter} bounds the bytes. {@link
 * org.loam.scheduler.work.WriteGate} stops the writers of a tree that has too many components, and
 * {@link org.loam.scheduler.work.StallLog} remembers every wait.
 *
 * <p>Uses: common, scheduler.merge.
 */
@NullMarked
package org.loam.scheduler.work;

import org.jspecify.annotations.NullMarked;
