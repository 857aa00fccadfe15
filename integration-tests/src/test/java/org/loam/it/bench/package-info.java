/** Microbenchmarks of hot paths. CONTRIBUTING.md gives the command that runs them. */
@NullMarked
package org.loam.it.bench;

import org.jspecify.annotations.NullMarked;
