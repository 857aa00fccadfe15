/**
 * The virtual bench: workloads on a simulated LSM storage and a real cache of page ids, in which
 * hundreds of cycles of the tuner take seconds.
 */
@NullMarked
package org.loam.tuner.bench;

import org.jspecify.annotations.NullMarked;
