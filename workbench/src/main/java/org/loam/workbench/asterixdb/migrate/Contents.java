package org.loam.workbench.asterixdb.migrate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a dataset has, whatever the order of its records: their number and sums of their hashes. No
 * format of AsterixDB says everything, so each record counts in two. The plain one has intervals,
 * and tells arrays from multisets; the lossless one has the types and all bits of numbers.
 */
final class Contents {
  private final MessageDigest digest;
  private final Set<String> intervals = new TreeSet<>();
  private long records;
  private long bytes;
  private long plainSum;
  private long losslessRecords;
  private long losslessSum;

  Contents() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has it", e);
    }
  }

  /** Adds a record in the plain format. */
  void addPlain(String record) {
    byte[] text = record.getBytes(StandardCharsets.UTF_8);
    records++;
    bytes += text.length;
    plainSum += hash(text);
    intervals.addAll(PlainText.intervals(record));
  }

  /** Adds a record in the lossless format, which has no field of {@link #intervals}. */
  void addLossless(String record) {
    losslessRecords++;
    losslessSum += hash(record.getBytes(StandardCharsets.UTF_8));
  }

  private long hash(byte[] text) {
    return ByteBuffer.wrap(digest.digest(text)).getLong();
  }

  long records() {
    return records;
  }

  /** Of the texts in the plain format. */
  long bytes() {
    return bytes;
  }

  /** The fields in which a record has an interval, or a collection or an object with one. */
  Set<String> intervals() {
    return Collections.unmodifiableSet(intervals);
  }

  boolean isSameAs(Contents other) {
    return records == other.records
        && plainSum == other.plainSum
        && losslessRecords == other.losslessRecords
        && losslessSum == other.losslessSum;
  }
}
