/**
 * Commands on a database: making and dropping datasets, taking records in, looking at them.
 *
 * <p>Read {@link org.loam.workbench.database.DatabaseOptions} first: where the database is, and how
 * it is opened. Each command opens it, does its work, and closes it. Uses: console, engine.
 */
@NullMarked
package org.loam.workbench.database;

import org.jspecify.annotations.NullMarked;
