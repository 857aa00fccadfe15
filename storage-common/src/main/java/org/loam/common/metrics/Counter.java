package org.loam.common.metrics;

import java.util.concurrent.atomic.LongAdder;

/** A sum that threads add to without disturbing each other. Thread-safe. */
public final class Counter implements Metric {
  private final LongAdder sum = new LongAdder();

  public void increment() {
    sum.increment();
  }

  public void add(long amount) {
    sum.add(amount);
  }

  /** What was added; while others add, some of theirs may be missing. */
  public long value() {
    return sum.sum();
  }

  @Override
  public String toString() {
    return Long.toString(value());
  }
}
