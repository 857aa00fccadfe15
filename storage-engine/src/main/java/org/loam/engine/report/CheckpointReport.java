package org.loam.engine.report;

/**
 * What {@code Engine.checkpoint} has made.
 *
 * @param directory of the new database
 * @param linkedTables SSTables that both databases share as hard links, which take no space until
 *     one of them needs its table no more
 * @param linkedBytes their bytes
 * @param copiedTables SSTables that had to be copied, as onto another device
 * @param copiedBytes their bytes
 * @param logBytes bytes of the log that were copied; opening the new database replays them
 * @param nanos how long it took
 */
public record CheckpointReport(
    String directory,
    int linkedTables,
    long linkedBytes,
    int copiedTables,
    long copiedBytes,
    long logBytes,
    long nanos) {}
