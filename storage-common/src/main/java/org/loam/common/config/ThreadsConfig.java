package org.loam.common.config;

/**
 * Background threads.
 *
 * @param flush threads that flush
 * @param merge threads that merge
 */
public record ThreadsConfig(int flush, int merge) {}
