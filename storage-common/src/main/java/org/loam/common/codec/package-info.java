/**
 * Byte-level codecs: checksums, hashes, variable-length integers.
 *
 * <p>Pure functions of bytes at addresses, some of them part of the disk format and so
 * unchangeable; a {@link Crc32c} instance is the one thing with state. Invariant: a decoder never
 * reads past the limit it was given. Uses: {@code common.mem}.
 */
@NullMarked
package org.loam.common.codec;

import org.jspecify.annotations.NullMarked;
