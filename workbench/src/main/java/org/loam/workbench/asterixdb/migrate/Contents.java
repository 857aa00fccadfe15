package org.loam.workbench.asterixdb.migrate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a dataset has, whatever the order of its records: their number and a sum of their hashes.
 */
final class Contents {
  private final MessageDigest digest;
  private long records;
  private long bytes;
  private long sum;

  Contents() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has it", e);
    }
  }

  void add(String record) {
    byte[] text = record.getBytes(StandardCharsets.UTF_8);
    records++;
    bytes += text.length;
    sum += ByteBuffer.wrap(digest.digest(text)).getLong();
  }

  long records() {
    return records;
  }

  /** Of the texts. */
  long bytes() {
    return bytes;
  }

  boolean isSameAs(Contents other) {
    return records == other.records && sum == other.sum;
  }
}
