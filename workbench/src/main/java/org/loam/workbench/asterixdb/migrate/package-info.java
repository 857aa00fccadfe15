/**
 * Moves datasets from one cluster of AsterixDB to another, one after the other: as a file of text
 * that the other cluster loads. What came is compared with what went, record by record.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.migrate.DatasetMove} first, then {@link
 * org.loam.workbench.asterixdb.migrate.TypedText}, which keeps the types. Uses: cluster for
 * statements, console.
 */
@NullMarked
package org.loam.workbench.asterixdb.migrate;

import org.jspecify.annotations.NullMarked;
