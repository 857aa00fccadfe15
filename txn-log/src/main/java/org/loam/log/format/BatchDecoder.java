package org.loam.log.format;

import org.loam.common.codec.Varint;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;

/**
 * Reads a {@link BatchPayload} in place. Allocates nothing unless the payload is malformed; never
 * reads outside of it. Used by one thread at a time; addresses are valid as long as the payload's
 * memory.
 *
 * <pre>{@code
 * decoder.reset(lsn, payloadAddress, payloadLength);
 * while (decoder.next()) {
 *   apply(decoder.treeId(), decoder.kind(), decoder.keyAddress(), ...);
 * }
 * }</pre>
 */
public final class BatchDecoder {
  private long lsn;
  private long start;
  private long at;
  private long limit;
  private int treeId;
  private byte kind;
  private int keyLength;
  private int valueLength;
  private long keyAddress;

  /**
   * Starts before the first operation.
   *
   * @param lsn of the frame, for messages
   */
  public void reset(long lsn, long payloadAddress, int payloadLength) {
    this.lsn = lsn;
    start = payloadAddress;
    at = payloadAddress;
    limit = payloadAddress + payloadLength;
    if (payloadLength <= 0) {
      throw malformed("payload length", payloadLength);
    }
  }

  /**
   * Moves to the next operation; false at the end.
   *
   * @throws CorruptionException if the bytes are not an operation
   * @throws UnsupportedFormatException if they are one of a kind that this release lacks
   */
  public boolean next() {
    if (at == limit) {
      return false;
    }
    long a = at;
    treeId = Varint.getInt(a, limit);
    if (treeId < 0) {
      throw malformed("tree id", treeId);
    }
    a += Varint.size(treeId);
    if (a >= limit) {
      throw malformed("bytes left for the kind", 0);
    }
    kind = Mem.getByte(a++);
    if (kind != EntryKind.PUT && kind != EntryKind.ANTI_MATTER) {
      throw unknownKind();
    }
    keyLength = Varint.getInt(a, limit);
    if (keyLength < 0) {
      throw malformed("key length", keyLength);
    }
    a += Varint.size(keyLength);
    valueLength = Varint.getInt(a, limit);
    if (valueLength < 0) {
      throw malformed("value length", valueLength);
    }
    a += Varint.size(valueLength);
    if ((long) keyLength + valueLength > limit - a) {
      throw malformed("key and value length", (long) keyLength + valueLength);
    }
    keyAddress = a;
    at = a + keyLength + valueLength;
    return true;
  }

  public int treeId() {
    return treeId;
  }

  /** One of {@link org.loam.common.key.EntryKind}. */
  public byte kind() {
    return kind;
  }

  public long keyAddress() {
    return keyAddress;
  }

  public int keyLength() {
    return keyLength;
  }

  public long valueAddress() {
    return keyAddress + keyLength;
  }

  public int valueLength() {
    return valueLength;
  }

  private StorageException unknownKind() {
    if (kind != EntryKind.DELTA && kind != EntryKind.RANGE_ANTI_MATTER) {
      return malformed("kind", kind);
    }
    return new UnsupportedFormatException(
        place()
            + ": an operation of kind "
            + kind
            + ", which this release cannot read: use the release that wrote it");
  }

  private CorruptionException malformed(String what, long value) {
    return new CorruptionException(place() + ": impossible " + what + " " + value);
  }

  private String place() {
    return "batch at LSN " + lsn + ", payload offset " + (at - start) + " of " + (limit - start);
  }
}
