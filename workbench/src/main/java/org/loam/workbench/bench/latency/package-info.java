/**
 * {@code loam bench latency}: how long writes take under a load that an engine should be able to
 * hold, in two phases (Stability §3.2).
 *
 * <p>The testing phase ({@link ClosedLoop}) finds the maximum: clients without pause, and the time
 * that merges need to pay what the phase left to them ({@link DebtNeutral}). The running phase
 * ({@link OpenLoop}) offers a share of the maximum: each operation has the moment at which it
 * should begin ({@link Arrivals}), whatever became of those before it. Write latency counts from
 * there, processing latency from the moment at which a client took the operation up.
 *
 * <p>Read {@link LatencyCommand} for what can be asked, {@link LatencyRound} for the order of
 * things in the child process of one engine, {@link Sampler} for the series.
 *
 * <p>Invariant: every arrival of the running phase is in the latencies, also if no client came to
 * it; every answer is checked.
 */
@NullMarked
package org.loam.workbench.bench.latency;

import org.jspecify.annotations.NullMarked;
