/**
 * Datasets of JSON records: which fields are the key, and which are indexed, is said by paths and
 * kept with the dataset, so that any program can open it by its name.
 *
 * <p>Read {@link org.loam.engine.json.JsonDataset} first. Uses: engine, lsm.dataset, common.
 */
@NullMarked
package org.loam.engine.json;

import org.jspecify.annotations.NullMarked;
