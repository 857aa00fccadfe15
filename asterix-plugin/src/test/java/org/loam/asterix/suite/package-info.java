/**
 * Runs AsterixDB's own runtime suite on a cluster in one process: {@code loam asterixdb suite}
 * starts {@link org.loam.asterix.suite.SuiteMain} with the published tests on its class path.
 */
@NullMarked
package org.loam.asterix.suite;

import org.jspecify.annotations.NullMarked;
