/** Tests of what measures many small trees. */
@NullMarked
package org.loam.workbench.bench.trees;

import org.jspecify.annotations.NullMarked;
