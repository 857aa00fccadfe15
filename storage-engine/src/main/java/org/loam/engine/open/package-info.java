/**
 * Opening, recovery and close: the only wiring.
 *
 * <p>{@link org.loam.engine.open.OpenEngine} is an engine from its opening to its close; {@code
 * Recovery} brings a directory to where it takes writes; {@code Kernel} makes the parts and hands
 * each on to what works with it; {@link org.loam.engine.open.MemoryLayout} divides the memory;
 * {@link org.loam.engine.open.SettingChanges} changes what the engine runs with.
 *
 * <p>Invariants: until one edit of the manifest lets what was recovered count, nothing that was
 * there has changed; what was made is freed in the opposite order, whatever fails. Uses: all other
 * rooms, lsm, cache, log, scheduler, common.
 */
@NullMarked
package org.loam.engine.open;

import org.jspecify.annotations.NullMarked;
