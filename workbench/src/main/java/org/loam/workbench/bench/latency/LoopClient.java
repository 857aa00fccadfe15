package org.loam.workbench.bench.latency;

/** What one thread of a closed loop does, over and over. For one thread. */
interface LoopClient extends AutoCloseable {
  /** Does one operation; returns whether it wrote. */
  boolean step();

  @Override
  void close();
}
