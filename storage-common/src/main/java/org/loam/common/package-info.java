/**
 * What every other module shares: the root of the storage kernel's vocabulary.
 *
 * <p>The sub-packages hold the matter; nothing here knows trees, logs or caches. Uses: nothing of
 * Loam.
 */
@NullMarked
package org.loam.common;

import org.jspecify.annotations.NullMarked;
