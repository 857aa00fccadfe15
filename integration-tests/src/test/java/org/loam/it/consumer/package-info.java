/**
 * Loam as its users meet it: the example of the README, and a project that has Loam as a Maven
 * dependency. Both are in {@code src/it/consumer}.
 *
 * <p>Read {@link org.loam.it.consumer.ConsumerTest} first. Uses: the reactor's classes and poms.
 */
@NullMarked
package org.loam.it.consumer;

import org.jspecify.annotations.NullMarked;
