/**
 * {@code loam asterixdb differential}: random statements on two clusters, one on stock storage and
 * one on Loam, whose answers must be the same.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.differential.StatementGenerator} first: a seed
 * decides all statements, and no answer does. {@link
 * org.loam.workbench.asterixdb.differential.DifferentialRun} runs them and compares; {@link
 * org.loam.workbench.asterixdb.differential.Shrinker} makes a script short that has a difference.
 * {@link org.loam.workbench.asterixdb.differential.KnownFault} lists the faults of AsterixDB
 * itself. The clusters are behind {@link
 * org.loam.workbench.asterixdb.differential.DifferentialTarget}, so that tests have others. Uses:
 * cluster, console.
 */
@NullMarked
package org.loam.workbench.asterixdb.differential;

import org.jspecify.annotations.NullMarked;
