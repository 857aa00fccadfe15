package org.loam.log.format;

/**
 * Names one use of one segment file.
 *
 * @param baseLsn LSN of the file's first byte
 * @param sequence number of the use
 * @param salt random number of the use
 */
public record SegmentLink(long baseLsn, long sequence, long salt) {}
