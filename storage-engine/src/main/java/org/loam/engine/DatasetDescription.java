package org.loam.engine;

import java.util.List;
import org.loam.common.key.Direction;
import org.loam.engine.dataset.DatasetState;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * What the database knows of a dataset. Immutable.
 *
 * @param name of the dataset
 * @param rule how records and their keys are to be understood, in the words of the program that
 *     created it
 * @param indexes by name
 */
public record DatasetDescription(String name, String rule, List<IndexDescription> indexes) {
  /**
   * What the database knows of an index.
   *
   * @param name of the index
   * @param parts the directions of the parts of its keys
   * @param rule how its keys are found in records
   */
  public record IndexDescription(String name, List<Direction> parts, String rule) {
    static IndexDescription of(IndexDefinition index) {
      return new IndexDescription(index.name(), index.parts(), index.rule());
    }
  }

  public DatasetDescription {
    indexes = List.copyOf(indexes);
  }

  static DatasetDescription of(DatasetState state) {
    return new DatasetDescription(
        state.name(),
        state.rule(),
        state.indexes().stream().map(index -> IndexDescription.of(index.definition())).toList());
  }
}
