package org.loam.scheduler.work;

/**
 * An operation that reads and writes no tables: it has no bytes for schedulers, and nothing to
 * force.
 */
public abstract class SmallOperation implements BackgroundOperation {
  private final IoClass ioClass;

  protected SmallOperation(IoClass ioClass) {
    this.ioClass = ioClass;
  }

  @Override
  public final IoClass ioClass() {
    return ioClass;
  }

  @Override
  public final long remainingInputBytes() {
    return 0;
  }

  @Override
  public final long transferredBytes() {
    return 0;
  }

  @Override
  public void force() {}
}
