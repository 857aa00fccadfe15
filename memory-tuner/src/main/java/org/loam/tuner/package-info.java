/**
 * The memory tuner: how much memory goes to writes and how much to the buffer cache.
 *
 * <p>What belongs here, none of it written yet: the tuner cycle, which measures (log growth, merge
 * I/O, cache misses that the ghost cache would have served), estimates the cost of either division
 * and moves a <em>quota</em>, never bytes; the estimates themselves as pure arithmetic, in a
 * sub-package of their own; bounds and damping, so that a noisy cycle moves little; and a record of
 * every decision with its inputs, its step and the gain predicted and then seen.
 *
 * <p>A tuner reads counters and a clock that it is given. It performs no I/O, starts no thread and
 * takes no lock of the memory it divides: the engine carries out its targets. Uses: common.
 */
@NullMarked
package org.loam.tuner;

import org.jspecify.annotations.NullMarked;
