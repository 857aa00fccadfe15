package org.loam.workbench.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.loam.workbench.console.Json;
import org.loam.workbench.workload.Scramble;

/**
 * The records of a source in a file, to be read again by number, in any order, by any process. Each
 * is its length (4 bytes, big-endian) and then JSON. Thread-safe.
 */
final class Spool implements AutoCloseable {
  private static final int HEADER_BYTES = 4;

  private final FileChannel file;
  private final long[] offsets;
  private final Scramble shuffle;

  private Spool(FileChannel file, long[] offsets) {
    this.file = file;
    this.offsets = offsets;
    this.shuffle = new Scramble(Math.max(1, offsets.length));
  }

  /** Writes at most so many records of a source to a new file. */
  static void fill(Path path, RecordSource source, int maxRecords) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(
                Files.newOutputStream(path, StandardOpenOption.CREATE_NEW), 1 << 16))) {
      int[] count = new int[1];
      source.forEach(
          record -> {
            if (count[0] < maxRecords) {
              count[0]++;
              write(record, out);
            }
          });
    }
  }

  private static void write(ObjectNode record, DataOutputStream out) throws IOException {
    byte[] json = Json.line(record).getBytes(StandardCharsets.UTF_8);
    out.writeInt(json.length);
    out.write(json);
  }

  /** Opens a file that {@link #fill} wrote. */
  static Spool open(Path path) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
    long[] offsets = new long[1024];
    int count = 0;
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    for (long offset = 0; offset < file.size(); count++) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
      }
      offsets[count] = offset;
      readFully(file, header.clear(), offset);
      offset += HEADER_BYTES + header.getInt(0);
    }
    return new Spool(file, Arrays.copyOf(offsets, count));
  }

  int count() {
    return offsets.length;
  }

  /** Bytes of all records. */
  long recordBytes() throws IOException {
    return file.size() - (long) HEADER_BYTES * offsets.length;
  }

  /** The record of a number, in the order of the source. */
  byte[] read(int number) throws IOException {
    long offset = offsets[number] + HEADER_BYTES;
    long end = number + 1 < offsets.length ? offsets[number + 1] : file.size();
    ByteBuffer bytes = ByteBuffer.allocate((int) (end - offset));
    readFully(file, bytes, offset);
    return bytes.array();
  }

  /** The number of the record at a place of a fixed shuffled order. */
  int shuffled(int place) {
    return (int) shuffle.index(place);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static void readFully(FileChannel file, ByteBuffer target, long offset)
      throws IOException {
    long position = offset;
    while (target.hasRemaining()) {
      int bytes = file.read(target, position);
      if (bytes < 0) {
        throw new IOException("the record file ends at " + position);
      }
      position += bytes;
    }
  }
}
