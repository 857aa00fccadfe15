package org.loam.engine.verify;

import org.loam.engine.report.VerifyProgress;

/** Turns what was read into progress: parts of about known size, one after the other. */
final class VerifyMeter {
  private static final long CALL_BYTES = 1 << 20;

  private final VerifyProgress progress;
  private final long totalBytes;
  private String part = "";
  private long doneBytes;
  private long partEndBytes;
  private long toldBytes;

  /**
   * @param totalBytes of all parts
   */
  VerifyMeter(VerifyProgress progress, long totalBytes) {
    this.progress = progress;
    this.totalBytes = totalBytes;
  }

  void run(String name, long bytes, Runnable work) {
    part = name;
    partEndBytes = doneBytes + bytes;
    tell();
    work.run();
    doneBytes = partEndBytes;
    tell();
  }

  /** Counts bytes of the part; those above its size, which is a guess, do not show. */
  void read(long bytes) {
    doneBytes = Math.min(partEndBytes, doneBytes + bytes);
    if (doneBytes - toldBytes >= CALL_BYTES) {
      tell();
    }
  }

  private void tell() {
    toldBytes = doneBytes;
    progress.at(part, doneBytes, totalBytes);
  }
}
