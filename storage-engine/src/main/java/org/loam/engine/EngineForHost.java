package org.loam.engine;

import org.loam.common.error.Arguments;
import org.loam.engine.host.HostEngine;
import org.loam.engine.open.OpenEngine;

/** An engine as a host sees it. */
final class EngineForHost implements HostEngine {
  private final OpenEngine open;

  EngineForHost(OpenEngine open) {
    this.open = open;
  }

  @Override
  public double writeMemoryFill() {
    return open.writes().memory().pages().fill();
  }

  @Override
  public long freeWriteMemoryBytes() {
    return open.writes().memory().pages().freeBytes();
  }

  @Override
  public long usedWriteMemoryBytes() {
    return open.writes().memory().pages().usedBytes();
  }

  @Override
  public int largestRecordBytes() {
    return open.writes().memory().room().largestRecordBytes();
  }

  @Override
  public void relieveWriteMemory() {
    open.requireOpen();
    open.maintenance().relieveWriteMemory();
  }

  @Override
  public void fence(Throwable cause) {
    open.writes().latch().fence(Arguments.require(cause, "cause"));
  }
}
