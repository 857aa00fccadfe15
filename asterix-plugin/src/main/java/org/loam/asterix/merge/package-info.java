/**
 * Loam's merge policies as AsterixDB knows them: by name in {@code CREATE DATASET ... WITH
 * {"merge-policy": ...}}, with parameters that are checked, in its metadata, and in the description
 * of each index of the dataset.
 *
 * <p>Read {@link LoamMergePolicyFactory} first; {@link MergePolicies} has all of them, and whoever
 * makes another adds it there. Statements are completed on the cluster controller by {@link
 * LoamStatements}; everything else is on the node controllers. Uses: engine, common.
 */
@NullMarked
package org.loam.asterix.merge;

import org.jspecify.annotations.NullMarked;
