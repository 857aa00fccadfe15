/**
 * Loam as a library, as its users meet it: the page {@code docs/LIBRARY.md}, pasted into a Maven
 * project of its own.
 *
 * <p>Read {@link org.loam.it.consumer.ConsumerTest} first. Uses: the reactor's classes and poms.
 */
@NullMarked
package org.loam.it.consumer;

import org.jspecify.annotations.NullMarked;
