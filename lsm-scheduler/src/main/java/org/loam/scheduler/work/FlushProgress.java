package org.loam.scheduler.work;

/**
 * The flushes that are on their way.
 *
 * @param flushes their number
 * @param remainingInputBytes what they have still to consume
 * @param consumedInputBytes what all flushes so far have consumed
 */
public record FlushProgress(int flushes, long remainingInputBytes, long consumedInputBytes) {}
