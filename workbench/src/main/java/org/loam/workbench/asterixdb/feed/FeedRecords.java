package org.loam.workbench.asterixdb.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.loam.workbench.console.Json;
import org.loam.workbench.demo.RecordSource;
import org.loam.workbench.demo.Shape;
import org.loam.workbench.demo.Values;

/**
 * The records that feeds take: a file with a line of JSON for each, which has the number of its
 * line, and in memory what the indexes have of each. Immutable once it is written.
 */
final class FeedRecords {
  /** The field with the number of the record, from 0. */
  static final String NUMBER = "n";

  private final Path file;
  private final String source;
  private final Shape shape;
  private final List<Values> values = new ArrayList<>();
  private final List<Integer> hashes = new ArrayList<>();
  private long bytes;

  private FeedRecords(Path file, RecordSource source) {
    this.file = file;
    this.source = source.description();
    this.shape = source.shape();
  }

  /** Writes at most so many records of a source to a new file. */
  static FeedRecords write(Path file, RecordSource source, int most) throws IOException {
    FeedRecords records = new FeedRecords(file, source);
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      source.forEach(
          record -> {
            if (records.count() < most) {
              record.put(NUMBER, records.count());
              records.values.add(records.shape.values(record));
              String line = Json.line(record);
              records.hashes.add(hash(line));
              records.bytes += line.getBytes(StandardCharsets.UTF_8).length;
              out.write(line);
              out.newLine();
            }
          });
    }
    return records;
  }

  private static int hash(String line) throws IOException {
    return Json.exact().readTree(line).hashCode();
  }

  /** Whether it is one of these records, as it was written; the order of fields does not count. */
  boolean has(JsonNode record) {
    int number = record.path(NUMBER).asInt(-1);
    return number >= 0 && number < count() && hashes.get(number) == record.hashCode();
  }

  Path file() {
    return file;
  }

  /** For people: what the records are. */
  String source() {
    return source;
  }

  Shape shape() {
    return shape;
  }

  int count() {
    return values.size();
  }

  /** Characters of all lines. */
  long bytes() {
    return bytes;
  }

  Values values(int number) {
    return values.get(number);
  }

  /** The numbers of the records that have what is asked for. */
  BitSet having(Predicate<Values> condition) {
    BitSet numbers = new BitSet();
    for (int number = 0; number < values.size(); number++) {
      if (condition.test(values.get(number))) {
        numbers.set(number);
      }
    }
    return numbers;
  }
}
