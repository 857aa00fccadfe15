package org.loam.common.sim;

import java.nio.file.Path;

/**
 * An I/O call about to be made.
 *
 * @param path the file, or the old name in a rename
 * @param offset of the bytes, or 0
 * @param length of the bytes, or 0
 */
public record IoCall(IoKind kind, Path path, long offset, long length) {}
