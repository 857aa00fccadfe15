package org.loam.workbench.asterixdb.cluster;

import java.util.Comparator;
import java.util.List;

/**
 * The index that a tree of a node has, as AsterixDB's users know it. A tree's name is the path of
 * the index: {@code storage/partition_0/<dataverse>/<dataset>/<rebalance>/<index>}, where a
 * dataverse of several parts is several directories, all but the first with {@code ^}.
 *
 * @param dataset with its dataverse; the name of the tree, if that is no such path
 * @param index empty if the name is no such path
 */
record TreePlace(String dataset, int partition, String index) {
  private static final String PARTITION = "partition_";

  /** The dataverse of AsterixDB's own datasets. */
  static final String METADATA = "Metadata";

  /** By dataset, partition and index; the primary index, which has the dataset's name, first. */
  static final Comparator<TreePlace> ORDER =
      Comparator.comparing(TreePlace::dataset)
          .thenComparing(TreePlace::partition)
          .thenComparing(place -> !place.isPrimary())
          .thenComparing(TreePlace::index);

  static TreePlace of(String tree) {
    List<String> parts = List.of(tree.split("/"));
    int index = parts.size() - 1;
    if (index < 5 || !parts.get(1).matches(PARTITION + "\\d{1,9}")) {
      return new TreePlace(tree, 0, "");
    }
    String dataverse = String.join(".", parts.subList(2, index - 2)).replace(".^", ".");
    return new TreePlace(
        dataverse + "." + parts.get(index - 2),
        Integer.parseInt(parts.get(1).substring(PARTITION.length())),
        parts.get(index));
  }

  private boolean isPrimary() {
    return dataset.endsWith("." + index);
  }

  /** Whether it is one of AsterixDB's own. */
  boolean isMetadata() {
    return dataset.startsWith(METADATA + ".");
  }
}
