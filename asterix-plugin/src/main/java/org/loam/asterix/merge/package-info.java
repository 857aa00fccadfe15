/**
 * Loam's merge policies as AsterixDB knows them: by name in {@code CREATE DATASET ... WITH
 * {"merge-policy": ...}}, with parameters that are checked, in its metadata, and in the description
 * of each index of the dataset.
 *
 * <p>Read {@link LoamMergePolicyFactory} first. {@link MergePolicies} lists all policies; a new one
 * is added there. {@link LoamStatements} completes statements on the cluster controller, and
 * answers {@link BlockCompression} with a warning; everything else is on the node controllers.
 * Uses: engine, common.
 */
@NullMarked
package org.loam.asterix.merge;

import org.jspecify.annotations.NullMarked;
