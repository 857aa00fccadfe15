package org.loam.lsm.manifest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.FileBytes;

/** Reads a manifest file to its end, and tells a torn tail from damage. */
final class ManifestReader {
  /** The longest array. A longer file is damaged, as its last bytes do not begin with a header. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private static final byte[] ZEROS = new byte[ManifestLayout.BLOCK_BYTES];

  private final Path path;
  private final long number;
  private final ByteBuffer bytes;
  private final ManifestState state = new ManifestState();
  private int offset = ManifestLayout.BLOCK_BYTES;

  /** Is shown each edit before it counts. */
  interface Listener {
    void edit(long offset, long sequence, ManifestEdit edit);
  }

  private ManifestReader(Path path, long number, byte[] bytes) {
    this.path = path;
    this.number = number;
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a whole file; see {@link #run}. */
  static ManifestReader read(StorageEnv env, Path path, long number) {
    ManifestReader reader = load(env, path, number);
    reader.run((offset, sequence, edit) -> {});
    return reader;
  }

  /** Loads the bytes of a file. */
  static ManifestReader load(StorageEnv env, Path path, long number) {
    if (!env.files().exists(path)) {
      throw new CorruptionException(
          path + " is missing although it is the current manifest; restore it from a backup");
    }
    return new ManifestReader(path, number, FileBytes.last(env.files(), path, MOST_BYTES));
  }

  /**
   * Reads to the end.
   *
   * @throws CorruptionException if something is damaged; what was read until there stays
   * @throws UnsupportedFormatException if a newer version wrote it
   */
  void run(Listener listener) {
    readHeader();
    readRecords(listener);
  }

  ManifestState state() {
    return state;
  }

  /** Where the readable records end. */
  long validBytes() {
    return offset;
  }

  /** Bytes of the file. */
  long fileBytes() {
    return bytes.capacity();
  }

  /** Whether something begins behind the readable records: an edit that was not written whole. */
  boolean hasTornTail() {
    for (int i = offset; i < bytes.capacity(); i++) {
      if (bytes.get(i) != 0) {
        return true;
      }
    }
    return false;
  }

  private void readHeader() {
    if (bytes.capacity() < ManifestLayout.BLOCK_BYTES) {
      throw corrupt(0, "the file is only " + bytes.capacity() + " bytes long");
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(4, ManifestLayout.FILE_HEADER_BYTES - 4));
    int checksum = (int) crc.getValue();
    if (checksum != bytes.getInt(0) || bytes.getInt(4) != ManifestLayout.MAGIC) {
      throw corrupt(
          0,
          String.format(
              Locale.ROOT,
              "no header of a manifest: checksum stored %08x, of the bytes %08x",
              bytes.getInt(0),
              checksum));
    }
    if (bytes.getLong(24) != number) {
      throw corrupt(0, "the header of manifest " + bytes.getLong(24) + ", expected " + number);
    }
    if (bytes.getInt(8) != ManifestLayout.VERSION) {
      throw new UnsupportedFormatException(
          path + ": format version " + bytes.getInt(8) + ", this build reads 1; use a newer build");
    }
    long unknown = bytes.getLong(16) & ~DatabaseIdentity.KNOWN_FEATURES;
    if (unknown != 0) {
      throw unknownFeatures(unknown);
    }
    if (bytes.getLong(32) != bytes.capacity()) {
      throw corrupt(0, "size " + bytes.capacity() + ", expected " + bytes.getLong(32));
    }
  }

  private UnsupportedFormatException unknownFeatures(long bits) {
    return new UnsupportedFormatException(
        path + ": unknown feature bits 0x" + Long.toHexString(bits) + "; use a newer build");
  }

  private void readRecords(Listener listener) {
    long sequence = 0;
    while (isRecord(offset)) {
      int length = bytes.getInt(offset + 4);
      if (bytes.getLong(offset + 8) != sequence || bytes.getLong(offset + 16) != offset) {
        throw corrupt(offset, "edit " + bytes.getLong(offset + 8) + ", expected " + sequence);
      }
      try {
        ManifestEdit edit =
            EditCodec.decode(bytes.slice(offset + ManifestLayout.HEADER_BYTES, length));
        listener.edit(offset, sequence, edit);
        state.apply(edit);
      } catch (IllegalStateException e) {
        throw new CorruptionException(path + " at byte " + offset + ": " + e.getMessage(), e);
      }
      sequence++;
      offset += ManifestLayout.recordBytes(length);
    }
    int end = writtenEnd();
    for (int later = offset + 8; later < end; later += 8) {
      if (isRecord(later)) {
        throw corrupt(offset, "a bad edit before the good one at byte " + later);
      }
    }
    if (!state.hasIdentity()) {
      throw corrupt(offset, "no first edit");
    }
    long unknown = state.identity().featureBits() & ~DatabaseIdentity.KNOWN_FEATURES;
    if (unknown != 0) {
      throw unknownFeatures(unknown);
    }
  }

  /** Where the blocks begin that were never written; most of a file is such zeros. */
  private int writtenEnd() {
    int end = bytes.capacity();
    while (end - ZEROS.length >= offset
        && Arrays.equals(bytes.array(), end - ZEROS.length, end, ZEROS, 0, ZEROS.length)) {
      end -= ZEROS.length;
    }
    return end;
  }

  private boolean isRecord(int at) {
    if (at + ManifestLayout.HEADER_BYTES > bytes.capacity()) {
      return false;
    }
    int length = bytes.getInt(at + 4);
    return length >= 4
        && length <= bytes.capacity() - at - ManifestLayout.HEADER_BYTES
        && bytes.getInt(at) == ManifestLayout.crc(bytes, at, length, number, at);
  }

  private CorruptionException corrupt(int at, String what) {
    return new CorruptionException(
        path + " at byte " + at + ": " + what + "; restore the file from a backup");
  }
}
