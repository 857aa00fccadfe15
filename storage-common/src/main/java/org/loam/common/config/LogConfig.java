package org.loam.common.config;

import org.jspecify.annotations.Nullable;

/**
 * The transaction log.
 *
 * @param durability when a write is acknowledged
 * @param maxBytes length beyond which components are flushed to shorten it
 * @param segmentBytes size of one file of it
 * @param directory where it lives; null for the data directory
 */
public record LogConfig(
    Durability durability, long maxBytes, long segmentBytes, @Nullable String directory) {}
