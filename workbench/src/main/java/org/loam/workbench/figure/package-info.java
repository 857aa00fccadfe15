/**
 * {@code loam figure}: figures of the papers, measured again, and what the papers claim about them.
 *
 * <p>Read {@link FigureCommand} first, then {@link ClaimFile} and {@link Check}. A {@link Figure}
 * measures its series and gives numbers by name; its claim file says which order or ratio of these
 * numbers must hold.
 *
 * <p>Invariant: a check compares the same number of two series, or two numbers of one series in the
 * same unit, so no claim depends on the speed of the machine. Uses: the latency benchmark, console.
 */
@NullMarked
package org.loam.workbench.figure;

import org.jspecify.annotations.NullMarked;
