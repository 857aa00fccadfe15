/**
 * Settings of an engine: names, defaults, ranges, the YAML form, and what follows from them.
 *
 * <p>{@link Settings} is the one table that says what exists; {@link EngineConfig} holds the values
 * of one engine, checked; {@link MemoryPlan} is the one place that divides the memory. Settings are
 * plain values, components are constructor arguments elsewhere. Invariant: an {@link EngineConfig}
 * that exists is valid. Uses: nothing of Loam.
 */
@NullMarked
package org.loam.common.config;

import org.jspecify.annotations.NullMarked;
