/** Tests that look at several modules at once, and the rules of the source tree itself. */
@NullMarked
package org.loam.it;

import org.jspecify.annotations.NullMarked;
