/**
 * Tests that are text files, and what runs them; other modules use it through the test jar. Read
 * {@link org.loam.common.script.Script}. Uses: nothing of Loam.
 */
@NullMarked
package org.loam.common.script;

import org.jspecify.annotations.NullMarked;
