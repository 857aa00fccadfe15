package org.loam.workbench.database;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads a record from each line that is not blank. What is on a line is for others to judge. */
final class JsonLinesReader implements RecordReader {
  /** A file of another kind may have no line breaks at all. */
  private static final int MAX_LINE_BYTES = 16 << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long number;

  JsonLinesReader(InputStream in) {
    this.in = new BufferedInputStream(in, BUFFER_BYTES);
  }

  @Override
  public @Nullable InputRecord next() throws IOException, BadRecordException {
    while (readLine()) {
      byte[] bytes = withoutByteOrderMark(line.toByteArray());
      if (!isBlank(bytes)) {
        return new InputRecord(number, bytes);
      }
    }
    return null;
  }

  /** Whether there was one. */
  private boolean readLine() throws IOException, BadRecordException {
    line.reset();
    int b = in.read();
    if (b < 0) {
      return false;
    }
    number++;
    boolean tooLong = false;
    for (; b >= 0 && b != '\n'; b = in.read()) {
      tooLong |= line.size() == MAX_LINE_BYTES;
      if (!tooLong) {
        line.write(b);
      }
    }
    if (tooLong) {
      throw new BadRecordException(
          number,
          "more than " + MAX_LINE_BYTES + " bytes; there must be one record on each line",
          true);
    }
    return true;
  }

  /** Some editors of Windows begin a file with one. */
  private byte[] withoutByteOrderMark(byte[] bytes) {
    boolean marked =
        number == 1 && Arrays.mismatch(bytes, BYTE_ORDER_MARK) == BYTE_ORDER_MARK.length;
    return marked ? Arrays.copyOfRange(bytes, BYTE_ORDER_MARK.length, bytes.length) : bytes;
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }
}
