/**
 * The memory tuner: how much memory goes to writes and how much to the buffer cache.
 *
 * <p>A tuner reads what it is given. It performs no I/O but that of its history, starts no thread
 * and takes no lock of the memory it divides: the engine carries out its targets. Uses: common.
 */
@NullMarked
package org.loam.tuner;

import org.jspecify.annotations.NullMarked;
