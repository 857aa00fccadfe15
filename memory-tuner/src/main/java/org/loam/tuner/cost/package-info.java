/**
 * What one cycle cost, and what it would cost with another split: samples and pure arithmetic.
 *
 * <p>A {@link org.loam.tuner.cost.CycleSample} is what the engine counted in one cycle. A {@link
 * org.loam.tuner.cost.CostModel} turns its counts into device time, or into pages; {@link
 * org.loam.tuner.cost.MeasuredCosts} keeps it to what the device was seen to take. {@link
 * org.loam.tuner.cost.PaperEquations} has equations 1 and 3 to 6 of MemoryWalls, the derivatives at
 * the present split. {@link org.loam.tuner.cost.CostCurve} says what every split would cost, from
 * two curves that were sampled and from {@link org.loam.tuner.cost.MergeCosts}: what merges were
 * measured to cost, and how that depends on the levels of a tree. The engine says which levels
 * those are ({@link org.loam.tuner.cost.LevelRule}).
 *
 * <p>Nothing here has a state, reads a clock or does I/O. Uses: nothing.
 */
@NullMarked
package org.loam.tuner.cost;

import org.jspecify.annotations.NullMarked;
