/**
 * The LSM tree: its versions, its manifest, and the operations on one tree.
 *
 * <p>Readers take an immutable version; writers change the active memory component only. Invariant:
 * for any key a newer component never holds an older entry than an older component. Uses: cache,
 * log, scheduler, common.
 */
@NullMarked
package org.loam.lsm;

import org.jspecify.annotations.NullMarked;
