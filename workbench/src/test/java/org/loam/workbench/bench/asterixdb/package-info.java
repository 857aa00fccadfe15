/** Tests of what measures AsterixDB. */
@NullMarked
package org.loam.workbench.bench.asterixdb;

import org.jspecify.annotations.NullMarked;
