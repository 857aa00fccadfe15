/**
 * {@code loam inspect}: what is in the files of a database, without opening it. The formats are
 * known to the dumps beside their readers; here they are printed.
 *
 * <p>Read {@link org.loam.workbench.inspect.InspectCommand} first. Uses: console, database, lsm,
 * log, tuner.
 */
@NullMarked
package org.loam.workbench.inspect;

import org.jspecify.annotations.NullMarked;
