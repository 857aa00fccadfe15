package org.loam.common.metrics;

import java.util.function.LongSupplier;

/**
 * A level that somebody else keeps, read when asked for. Thread-safe as the reading is.
 *
 * @param reading must not wait, and must work for as long as the gauge is registered
 */
public record Gauge(LongSupplier reading) implements Metric {
  public long value() {
    return reading.getAsLong();
  }
}
