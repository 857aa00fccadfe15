package org.loam.common.config;

/**
 * The shape of the trees on disk.
 *
 * @param sstableBytes size at which an SSTable ends
 * @param levelRatio how many times larger each level is than the one above
 * @param sizedForBytes write memory that merges assume, which sizes levels; 0 for its own size
 * @param l0MinMerge depth of L0 at which it is merged
 * @param l0Stop depth of L0 at which writes stop
 * @param l0StopRatio bytes of L0, divided by those of a full L1, at which writes stop
 * @param mergesWhenQuiet whether L0 is merged although it is not due, once no write came for a
 *     while
 * @param bloomBitsPerKey bits per key in the filters of tables with nothing below them; filters of
 *     other tables have twice as many, at most 20; 0 for no filters
 */
public record DiskConfig(
    long sstableBytes,
    int levelRatio,
    long sizedForBytes,
    int l0MinMerge,
    int l0Stop,
    int l0StopRatio,
    boolean mergesWhenQuiet,
    int bloomBitsPerKey) {}
