/**
 * Databases that earlier builds wrote and that are checked in: every later build must open them,
 * find every record and go on.
 *
 * <p>Read {@link org.loam.it.golden.GoldenDatabaseTest} first, then {@link
 * org.loam.it.golden.GoldenContent}, which says what is in them, and {@link
 * org.loam.it.golden.AtRest}, which says what a partial flush leaves on disk. The README beside the
 * archives says how the next version is added. Invariant: neither an archive nor the content it is
 * checked against ever changes. Uses: engine, workbench's child processes.
 */
@NullMarked
package org.loam.it.golden;

import org.jspecify.annotations.NullMarked;
