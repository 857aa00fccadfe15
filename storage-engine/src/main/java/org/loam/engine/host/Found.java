package org.loam.engine.host;

import org.jspecify.annotations.Nullable;

/**
 * What a lookup found.
 *
 * @param value of the key, null for none
 * @param isInMemory whether write memory had the key: its value or its deletion. If not, the answer
 *     is from SSTables alone. A host that lets nothing be flushed before it is committed then knows
 *     that the answer is committed
 */
@SuppressWarnings("ArrayRecordComponent") // Whose reads it is compares neither.
public record Found(byte @Nullable [] value, boolean isInMemory) {}
