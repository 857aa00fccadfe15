package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.loam.common.codec.Crc32c;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.log.CommitLog.Appended;
import org.loam.log.format.BatchDecoder;
import org.loam.log.format.BatchEncoder;

/**
 * Batches that say which they are: number {@code i} has one operation whose key is {@code i} and
 * whose value follows from it, so that a replay can check every byte without remembering any.
 */
final class TestBatches implements AutoCloseable {
  private static final int MAX_BYTES = 1 << 20;

  private final long buffer = Mem.allocate(MAX_BYTES + 16, 4096);
  private final BatchEncoder encoder = new BatchEncoder();
  private final BatchDecoder decoder = new BatchDecoder();
  private int length;

  /** Appends batch {@code i} with a value of that length. */
  Appended append(TransactionLog log, int i, int valueBytes) {
    encode(i, valueBytes);
    return log.append(buffer, length, Crc32c.of(buffer, length));
  }

  /** Appends, waiting for room; returns the LSN. */
  long appendWaiting(TransactionLog log, int i, int valueBytes) {
    while (append(log, i, valueBytes) == Appended.NO_ROOM) {
      assertThat(log.awaitRoom(length, Long.MAX_VALUE)).isTrue();
    }
    return log.lastLsn();
  }

  int payloadLength(int i, int valueBytes) {
    encode(i, valueBytes);
    return length;
  }

  private void encode(int i, int valueBytes) {
    long key = buffer + MAX_BYTES;
    Mem.putLong(key, i);
    encoder.reset(buffer, MAX_BYTES);
    long value = Mem.allocate(Math.max(1, valueBytes), 8);
    for (int b = 0; b < valueBytes; b++) {
      Mem.putByte(value + b, valueByte(i, b));
    }
    encoder.add(7, EntryKind.PUT, key, 8, value, valueBytes);
    Mem.free(value);
    length = encoder.lengthBytes();
  }

  private static byte valueByte(int i, int b) {
    return (byte) (i * 31 + b * 7 + (b >> 8));
  }

  /** Checks a replayed batch, every byte, and returns its number. */
  int read(long lsn, long address, int payloadLength) {
    decoder.reset(lsn, address, payloadLength);
    assertThat(decoder.next()).isTrue();
    assertThat(decoder.treeId()).isEqualTo(7);
    assertThat(decoder.kind()).isEqualTo(EntryKind.PUT);
    assertThat(decoder.keyLength()).isEqualTo(8);
    int i = (int) Mem.getLong(decoder.keyAddress());
    for (int b = 0; b < decoder.valueLength(); b++) {
      if (Mem.getByte(decoder.valueAddress() + b) != valueByte(i, b)) {
        throw new AssertionError("batch " + i + ", value byte " + b + " is wrong");
      }
    }
    assertThat(decoder.next()).isFalse();
    return i;
  }

  @Override
  public void close() {
    Mem.free(buffer);
  }
}
