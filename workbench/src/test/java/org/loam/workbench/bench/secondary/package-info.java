/** Tests of what measures secondary indexes. */
@NullMarked
package org.loam.workbench.bench.secondary;

import org.jspecify.annotations.NullMarked;
