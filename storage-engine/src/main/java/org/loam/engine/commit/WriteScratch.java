package org.loam.engine.commit;

import org.loam.common.codec.Crc32c;
import org.loam.log.format.BatchEncoder;
import org.loam.lsm.memory.InsertionPoints;

/**
 * What one attempt to write at a time works with, so that it allocates nothing. It belongs to a
 * slot of {@link org.loam.engine.operation.Operations}.
 */
final class WriteScratch {
  /** For a write of one key; empty between two of them. */
  final PreparedBatch one = new PreparedBatch(1);

  final InsertionPoints points = new InsertionPoints();
  private final BatchEncoder encoder = new BatchEncoder();
  private final Crc32c checksum = new Crc32c();
  private long payload;
  private int payloadBytes;
  private int payloadCrc;

  /** Encodes a batch for the log. */
  void encode(PreparedBatch batch, long buffer) {
    payload = buffer;
    payloadBytes = (int) batch.payloadBytes();
    encoder.reset(buffer, payloadBytes);
    batch.encode(encoder);
    payloadCrc = checksum.reset().update(buffer, payloadBytes).value();
  }

  /** Nothing is encoded: a host has the log. */
  void encodeNothing() {
    payload = 0;
    payloadBytes = 0;
    payloadCrc = 0;
  }

  /** Address of what was encoded. */
  long payload() {
    return payload;
  }

  int payloadBytes() {
    return payloadBytes;
  }

  int payloadCrc() {
    return payloadCrc;
  }
}
