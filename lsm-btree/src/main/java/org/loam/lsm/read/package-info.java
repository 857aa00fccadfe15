/**
 * Cursors and point reads: reconciling the components of a version into what a reader may see.
 *
 * <p>Uses: cache, common.
 */
@NullMarked
package org.loam.lsm.read;

import org.jspecify.annotations.NullMarked;
