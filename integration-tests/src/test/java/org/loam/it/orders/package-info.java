/**
 * A dataset for tests of whole databases: its records, its indexes, and what a query of them must
 * show, found by comparing typed values and not by the engine's keys.
 *
 * <p>Read {@link org.loam.it.orders.Order} first, then {@link org.loam.it.orders.OrderIndex}. Uses:
 * engine, keys.
 */
@NullMarked
package org.loam.it.orders;

import org.jspecify.annotations.NullMarked;
