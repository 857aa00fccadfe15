package org.loam.engine.host;

import org.jspecify.annotations.Nullable;

/**
 * What a lookup found.
 *
 * @param value of the key, null for none
 * @param isInMemory whether that was in write memory, be it the delete of the key. If not, it is
 *     from an SSTable or from nowhere, and write memory had nothing of the key. So a host that lets
 *     nothing be flushed before it is committed knows of such an answer that it is
 */
@SuppressWarnings("ArrayRecordComponent") // Whose reads it is compares neither.
public record Found(byte @Nullable [] value, boolean isInMemory) {}
