/**
 * How trees share the write memory: the schemes that MemoryWalls compares, one class each.
 *
 * <p>{@link org.loam.engine.scheme.MemoryScheme} says what a scheme decides; {@link
 * org.loam.engine.scheme.MemorySchemes} makes the one that a configuration asks for. A scheme
 * freezes nothing and waits for nothing: {@link org.loam.engine.commit.FlushTrigger} asks it, and
 * {@link org.loam.engine.commit.Freezer} does what it says.
 *
 * <p>Invariant: a decision is made under the commit latch, about the components of that moment.
 * Uses: report, lsm, common.
 */
@NullMarked
package org.loam.engine.scheme;

import org.jspecify.annotations.NullMarked;
