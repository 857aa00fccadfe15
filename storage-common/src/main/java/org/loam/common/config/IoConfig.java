package org.loam.common.config;

/**
 * Background input and output.
 *
 * @param direct whether files bypass the page cache of the operating system where it allows that
 * @param forceBytes how much is written to a file before it is forced
 * @param limitBytesPerSecond what flushes and merges may read and write; 0 for no limit
 */
public record IoConfig(boolean direct, long forceBytes, long limitBytesPerSecond) {}
