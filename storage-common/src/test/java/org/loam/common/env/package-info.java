/** The contract of the environment as tests, which each implementation extends. */
@NullMarked
package org.loam.common.env;

import org.jspecify.annotations.NullMarked;
