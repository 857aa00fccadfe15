/**
 * What many small trees cost: {@code loam bench trees}. Uses: bench, peer, workload, console.
 *
 * <p>Read {@link TreesCommand} for what can be asked, {@link TreesRound} for what is timed.
 */
@NullMarked
package org.loam.workbench.bench.trees;

import org.jspecify.annotations.NullMarked;
