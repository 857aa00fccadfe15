/**
 * Layouts of log segments, frames and records, one class per format.
 *
 * <p>Uses: common.
 */
@NullMarked
package org.loam.log.format;

import org.jspecify.annotations.NullMarked;
