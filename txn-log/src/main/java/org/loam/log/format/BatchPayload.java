package org.loam.log.format;

import org.loam.common.codec.Varint;

/**
 * The payload of a batch frame, version 1: the operations of one batch over all its trees, in the
 * order in which they apply.
 *
 * <pre>
 *  n x  varint  treeId
 *       u8      kind, one of {@link org.loam.common.key.EntryKind}
 *       varint  keyLength
 *       varint  valueLength, 0 for anti-matter
 *       bytes   key
 *       bytes   value
 * </pre>
 *
 * <p>It holds at least one operation and nothing behind the last; its length is the frame's. Pinned
 * by {@code batch-payload-v1.hex}; described in {@code docs/formats/log.md}.
 */
public final class BatchPayload {
  private BatchPayload() {}

  /** The bytes that one operation takes. */
  public static long operationBytes(int treeId, int keyLength, int valueLength) {
    return 1L
        + Varint.size(treeId)
        + Varint.size(keyLength)
        + Varint.size(valueLength)
        + keyLength
        + valueLength;
  }
}
