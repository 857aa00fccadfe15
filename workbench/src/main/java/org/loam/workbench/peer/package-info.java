/**
 * The stores a benchmark compares, behind one interface.
 *
 * <p>Read {@link Store} first; {@link Peer} names the engines and finds their adapters. Adapters of
 * optional libraries live in packages of their own and are compiled only in their Maven profile.
 *
 * <p>Invariant: all adapters offer the same guarantees for one {@link StoreSettings}: the same
 * durability, the same memory, no compression, checksums verified on read from disk.
 */
@NullMarked
package org.loam.workbench.peer;

import org.jspecify.annotations.NullMarked;
