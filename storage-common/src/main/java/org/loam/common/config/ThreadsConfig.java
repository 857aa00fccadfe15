package org.loam.common.config;

/**
 * Background threads.
 *
 * @param flush threads that flush
 * @param merge threads that merge
 * @param scheduling how open merges share them
 * @param greedy merges that {@link MergeScheduling#GREEDY} gives the threads to first; 0 for as
 *     many as there are threads that merge
 */
public record ThreadsConfig(int flush, int merge, MergeScheduling scheduling, int greedy) {}
