package org.loam.workbench.bench.asterixdb;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements about datasets of the same form, each with two secondary indexes.
 *
 * @param dataverse of its own
 * @param datasets how many
 */
record BenchSchema(String dataverse, int datasets) {
  static final List<String> INDEXES = List.of("byPart", "byMark");

  static String dataset(int number) {
    return "records" + number;
  }

  private String name(int number) {
    return dataverse + "." + dataset(number);
  }

  /** Makes everything but feeds. */
  String create() {
    return "CREATE DATAVERSE "
        + dataverse
        + "; USE "
        + dataverse
        + "; CREATE TYPE Entry AS { id: bigint, part: bigint, mark: bigint, text: string };"
        + IntStream.range(0, datasets)
            .mapToObj(
                number ->
                    ("CREATE DATASET %s(Entry) PRIMARY KEY id; CREATE INDEX byPart ON %s(part);"
                            + "CREATE INDEX byMark ON %s(mark);")
                        .replace("%s", dataset(number)))
            .collect(Collectors.joining());
  }

  /** Deletes everything. */
  String drop() {
    return "DROP DATAVERSE " + dataverse + ";";
  }

  /**
   * Makes a feed that writes each record in place of the one with its id, and starts it.
   *
   * @param sockets where it listens, one for each sender: {@code nc1:20010}
   */
  String startFeed(int number, List<String> sockets) {
    return String.format(
        Locale.ROOT,
        "USE %1$s; CREATE FEED %2$sFeed WITH {'adapter-name': 'socket_adapter',"
            + " 'address-type': 'nc', 'sockets': '%3$s', 'type-name': 'Entry', 'format': 'json'};"
            + " CONNECT FEED %2$sFeed TO DATASET %2$s; START FEED %2$sFeed;",
        dataverse,
        dataset(number),
        String.join(",", sockets));
  }

  String stopFeed(int number) {
    return "USE " + dataverse + "; STOP FEED " + dataset(number) + "Feed;";
  }

  /** Fills the first dataset with the lines of files, each read by the node in front of it. */
  String load(List<String> nodes, List<Path> files) {
    String paths =
        IntStream.range(0, files.size())
            .mapToObj(i -> nodes.get(i) + "://" + files.get(i))
            .collect(Collectors.joining(","));
    return "USE "
        + dataverse
        + "; LOAD DATASET "
        + dataset(0)
        + " USING localfs ((\"path\"=\""
        + paths
        + "\"),(\"format\"=\"json\"));";
  }

  /** A further index of the first dataset. */
  String index() {
    return "USE " + dataverse + "; CREATE INDEX byBoth ON " + dataset(0) + "(part, mark);";
  }

  /** Drops the further index. */
  String dropIndex() {
    return "USE " + dataverse + "; DROP INDEX " + dataset(0) + ".byBoth;";
  }

  String count(int number) {
    return "SELECT VALUE COUNT(*) FROM " + name(number) + ";";
  }

  String point(int number, long id) {
    return select(number, "r.id = " + id);
  }

  String range(int number, long from, long to) {
    return select(number, "r.id >= " + from + " AND r.id < " + to);
  }

  String part(int number, long part) {
    return select(number, "r.part = " + part);
  }

  String partAndMark(int number, long part, long mark) {
    return select(number, "r.part = " + part + " AND r.mark = " + mark);
  }

  private String select(int number, String condition) {
    return "SELECT VALUE r FROM " + name(number) + " r WHERE " + condition + ";";
  }
}
