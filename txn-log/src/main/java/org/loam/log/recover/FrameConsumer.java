package org.loam.log.recover;

/** Takes the batches of the log in the order in which they were appended. */
@FunctionalInterface
public interface FrameConsumer {
  /**
   * Takes one batch, whose checksums were right.
   *
   * @param lsn of the frame
   * @param endLsn exclusive end of the frame
   * @param payloadAddress the bytes, valid during the call
   * @param payloadLength their number
   */
  void accept(long lsn, long endLsn, long payloadAddress, int payloadLength);
}
