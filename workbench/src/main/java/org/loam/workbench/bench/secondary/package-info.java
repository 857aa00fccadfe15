/**
 * What secondary indexes cost and bring: {@code loam bench secondary}. Uses: bench, peer, workload,
 * console, engine.
 */
@NullMarked
package org.loam.workbench.bench.secondary;

import org.jspecify.annotations.NullMarked;
