package org.loam.common.config;

/**
 * Background threads.
 *
 * @param flush threads that flush
 * @param merge threads that merge
 * @param scheduling how open merges share them
 */
public record ThreadsConfig(int flush, int merge, MergeScheduling scheduling) {}
