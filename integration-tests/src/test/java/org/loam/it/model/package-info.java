/**
 * What a database must contain: models of its content, and the test that compares an engine with a
 * sorted map over random operations and configurations.
 *
 * <p>Read {@link org.loam.it.model.Ledger} first; the suites that break files, calls and processes
 * judge by it too. Uses: engine, simulation.
 */
@NullMarked
package org.loam.it.model;

import org.jspecify.annotations.NullMarked;
