/**
 * What keeps the output of tests readable; other modules use it through the test jar. Uses: nothing
 * of Loam.
 */
@NullMarked
package org.loam.common.quiet;

import org.jspecify.annotations.NullMarked;
