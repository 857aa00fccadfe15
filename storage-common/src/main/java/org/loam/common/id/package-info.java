/**
 * Identifiers that would be confused as bare numbers: log positions, pages, components.
 *
 * <p>Uses: common.
 */
@NullMarked
package org.loam.common.id;

import org.jspecify.annotations.NullMarked;
