/**
 * AsterixDB's own runtime suite: which of its cases to run, the processes that run them, and what
 * came of it on each storage.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.suite.SuiteRun} first. The runner itself needs
 * AsterixDB's tests on its class path, so it is a process that is spoken to by lines of JSON;
 * nothing here links against AsterixDB. Uses: console.
 */
@NullMarked
package org.loam.workbench.asterixdb.suite;

import org.jspecify.annotations.NullMarked;
