package org.loam.lsm.dataset;

import java.util.List;
import org.loam.common.error.Arguments;
import org.loam.common.key.Direction;

/**
 * What an index of a dataset is: its name, the shape of its keys, and how they are found. Immutable
 * as long as the extractor is.
 *
 * @param name of the index, not empty, unique in its dataset
 * @param parts the directions of the parts of a key, in order; at least one
 * @param rule says how keys are found in records. It is kept with the dataset and compared when the
 *     dataset is opened, so that no program goes on with an index that was made by another rule
 * @param extractor does what the rule says
 */
public record IndexDefinition(
    String name, List<Direction> parts, String rule, IndexExtractor extractor) {
  /** Checks name and parts. */
  public IndexDefinition {
    parts = Arguments.requireAll(parts, "parts");
    Arguments.require(rule, "rule");
    Arguments.require(extractor, "extractor");
    if (Arguments.require(name, "index name").isEmpty()) {
      throw new IllegalArgumentException("the name of an index is empty, must not be");
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(
          "index '" + name + "' has keys of 0 parts, must have at least 1");
    }
  }

  /** An index whose keys have one ascending part. */
  public static IndexDefinition of(String name, String rule, IndexExtractor extractor) {
    return new IndexDefinition(name, List.of(Direction.ASCENDING), rule, extractor);
  }
}
