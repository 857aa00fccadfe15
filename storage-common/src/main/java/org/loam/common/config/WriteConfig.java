package org.loam.common.config;

/**
 * The write memory.
 *
 * @param initialBytes its size until the tuner changes it
 * @param scheme how trees share it
 * @param activeDatasets among which the scheme STATIC divides it
 * @param flushThreshold how full it gets before components are flushed, a fraction
 * @param flushPolicy which component is flushed
 * @param control what writers meet as L0 fills
 * @param bulkLoads bulk loads that may be open at once
 */
public record WriteConfig(
    long initialBytes,
    WriteScheme scheme,
    int activeDatasets,
    double flushThreshold,
    FlushPolicy flushPolicy,
    WriteSlowdown control,
    int bulkLoads) {}
