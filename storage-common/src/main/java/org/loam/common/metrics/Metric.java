package org.loam.common.metrics;

/** What a {@link Metrics} registry holds under a name. */
public sealed interface Metric permits Counter, Gauge, Histogram {}
