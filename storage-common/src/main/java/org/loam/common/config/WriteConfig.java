package org.loam.common.config;

/**
 * The write memory.
 *
 * @param initialBytes its size until the tuner changes it
 * @param scheme how the memory of a tree is organised
 * @param flushThreshold how full it gets before components are flushed, a fraction
 * @param flushPolicy which component is flushed
 * @param control what writers meet as L0 fills
 * @param bulkLoads bulk loads that may be open at once
 */
public record WriteConfig(
    long initialBytes,
    WriteScheme scheme,
    double flushThreshold,
    FlushPolicy flushPolicy,
    WriteSlowdown control,
    int bulkLoads) {}
