package org.loam.workbench.asterixdb.feed;

import java.nio.file.Path;
import org.loam.workbench.demo.Shape;

/**
 * The statements of the demonstration: two datasets of the same records, both with secondary
 * indexes; one takes a socket feed, the other the feed of a file. A record that comes again takes
 * the place of the one that is there, as always with AsterixDB's feeds.
 *
 * @param port of the socket feed, on the first node
 * @param file that the other feed reads, on the second node
 */
record FeedSchema(Shape shape, int port, Path file) {
  /** How the names of all secondary indexes begin. */
  static final String INDEX_PREFIX = "by_";

  private static final String DATAVERSE = "demo";

  /** The feed of the socket, and the dataset that takes it. */
  String socketDataset() {
    return shape.dataset();
  }

  /** The feed of the file, and the dataset that takes it. */
  String fileDataset() {
    return shape.dataset() + "OfFile";
  }

  /** Makes everything. */
  String create() {
    String group = shape.groupField();
    String number = shape.numberField();
    return use("CREATE TYPE RecordType AS { `" + shape.key() + "`: string };")
            .replace("USE", "CREATE DATAVERSE " + DATAVERSE + "; USE")
        // Small levels, so that few records are merged through several.
        + dataset(
            socketDataset(),
            " WITH {'merge-policy': {'name': 'partitioned-leveling', 'parameters':"
                + " {'size-ratio': 4.0, 'min-merge-component-count': 2}}}")
        + index(socketDataset(), group, text(group))
        + index(socketDataset(), shape.textField(), text(shape.textField()))
        + index(socketDataset(), number, number(number))
        + index(socketDataset(), group + "And" + number, text(group) + ", " + number(number))
        + dataset(fileDataset(), "")
        + index(fileDataset(), group, text(group))
        + feed(
            socketDataset(),
            "'adapter-name': 'socket_adapter', 'address-type': 'nc', 'sockets': 'nc1:" + port + "'")
        + feed(fileDataset(), "'adapter-name': 'localfs', 'path': 'nc2://" + quoted(file) + "'");
  }

  private static String quoted(Path file) {
    return file.toString().replace("\\", "\\\\").replace("'", "\\'");
  }

  private static String use(String statements) {
    return "USE " + DATAVERSE + "; " + statements;
  }

  private String dataset(String name, String options) {
    return "CREATE DATASET "
        + name
        + "(RecordType) PRIMARY KEY `"
        + shape.key()
        + "`"
        + options
        + ";";
  }

  private static String text(String field) {
    return "`" + field + "`: string?";
  }

  private static String number(String field) {
    return "`" + field + "`: bigint?";
  }

  private static String index(String dataset, String name, String fields) {
    return "CREATE INDEX `" + INDEX_PREFIX + name + "` ON " + dataset + "(" + fields + ");";
  }

  /** A feed has the name of its dataset. */
  private static String feed(String dataset, String adapter) {
    return "CREATE FEED "
        + dataset
        + "Feed WITH {"
        + adapter
        + ", 'type-name': 'RecordType', 'format': 'json'}; CONNECT FEED "
        + dataset
        + "Feed TO DATASET "
        + dataset
        + ";";
  }

  String start(String dataset) {
    return use("START FEED " + dataset + "Feed;");
  }

  String stop(String dataset) {
    return use("STOP FEED " + dataset + "Feed;");
  }

  /** The numbers of the records for which a condition on {@code r} holds. */
  String numbers(String dataset, String condition) {
    return use(
        "SELECT VALUE r."
            + FeedRecords.NUMBER
            + " FROM "
            + dataset
            + " r WHERE "
            + condition
            + ";");
  }

  /** How AsterixDB would find them. */
  String plan(String dataset, String condition) {
    return numbers(dataset, condition).replace("SELECT", "EXPLAIN SELECT");
  }

  /** All records. */
  String records(String dataset) {
    return use("SELECT VALUE r FROM " + dataset + " r;");
  }

  String count(String dataset) {
    return use("SELECT VALUE COUNT(*) FROM " + dataset + ";");
  }
}
