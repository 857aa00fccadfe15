/**
 * Settings of an engine: names, defaults, ranges, the YAML form, and what follows from them.
 *
 * <p>{@link Settings} is the one table that says what exists; {@link EngineConfig} holds the values
 * of one engine, checked. Settings are plain values, components are constructor arguments
 * elsewhere; how the memory is divided, the engine computes. Invariant: an {@link EngineConfig}
 * that exists has no value that is not allowed. Uses: nothing of Loam.
 */
@NullMarked
package org.loam.common.config;

import org.jspecify.annotations.NullMarked;
