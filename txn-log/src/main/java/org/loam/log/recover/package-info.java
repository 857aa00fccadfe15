/**
 * Reading the log back after a crash: finding its end, checking frames, handing records to their
 * trees.
 *
 * <p>A torn tail is dropped; damage before it is corruption and stops recovery. Uses: common.
 */
@NullMarked
package org.loam.log.recover;

import org.jspecify.annotations.NullMarked;
