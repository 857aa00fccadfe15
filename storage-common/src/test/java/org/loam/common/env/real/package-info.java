/** Tests of the production environment, on real directories of the machine that runs them. */
@NullMarked
package org.loam.common.env.real;

import org.jspecify.annotations.NullMarked;
