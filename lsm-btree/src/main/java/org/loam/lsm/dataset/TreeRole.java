package org.loam.lsm.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.Direction;

/**
 * What a tree is to a dataset; the manifest keeps it as the tree's description, in JSON.
 *
 * @param dataset name of the dataset
 * @param index name of the index, null for the tree of the records
 * @param parts the directions of the parts of the index's keys; empty for the tree of the records
 * @param rule how keys are found in records, in the words of the program that made the dataset
 * @param building whether the index does not have all entries yet
 */
public record TreeRole(
    String dataset, @Nullable String index, List<Direction> parts, String rule, boolean building) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The role of the tree that has the records. */
  public static TreeRole ofRecords(String dataset, String rule) {
    return new TreeRole(dataset, null, List.of(), rule, false);
  }

  /** The role of an index's tree. */
  public static TreeRole ofIndex(String dataset, IndexDefinition index, boolean building) {
    return new TreeRole(dataset, index.name(), index.parts(), index.rule(), building);
  }

  /**
   * The description for the manifest.
   *
   * @throws IllegalArgumentException if a text in it has half a surrogate pair, which UTF-8 cannot
   *     express: the rule would be another one after the next open
   */
  public String encode() {
    try {
      String description = JSON.writeValueAsString(this);
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(description)) {
        throw new IllegalArgumentException(
            "the rule "
                + rule
                + " of "
                + (index == null ? "dataset '" + dataset : "index '" + index)
                + "' has half a surrogate pair, which UTF-8 cannot express");
      }
      return description;
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Reads a description.
   *
   * @throws CorruptionException if it is none
   */
  public static TreeRole decode(String tree, String description) {
    try {
      return JSON.readValue(description, TreeRole.class);
    } catch (JsonProcessingException e) {
      throw new CorruptionException(
          "the manifest's description of tree '" + tree + "' is damaged: " + e.getOriginalMessage(),
          e);
    }
  }
}
