/**
 * Real file systems for tests that must do harm to one; other modules use them through the test
 * jar. Uses: nothing of Loam.
 */
@NullMarked
package org.loam.common.disk;

import org.jspecify.annotations.NullMarked;
