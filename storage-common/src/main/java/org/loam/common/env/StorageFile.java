package org.loam.common.env;

import java.nio.file.Path;

/**
 * An open file. Thread-safe: calls may overlap, and calling threads may be interrupted without
 * effect on the file. Addresses are off-heap ({@link org.loam.common.mem.Mem}).
 *
 * <p>Offsets, lengths and addresses that are multiples of {@link StorageFiles#ALIGNMENT} go to the
 * device without a copy; others are allowed and are staged through an aligned buffer.
 */
public interface StorageFile extends AutoCloseable {
  Path path();

  long sizeBytes();

  /**
   * Reads exactly {@code length} bytes at {@code offset} into {@code address}.
   *
   * @throws org.loam.common.error.StorageIoException on a fault, or if the file ends too early
   */
  void read(long offset, long address, int length);

  /**
   * Writes exactly {@code length} bytes from {@code address} at {@code offset}; not yet durable.
   */
  void write(long offset, long address, int length);

  /**
   * Makes all bytes written so far, by {@link #write} or through a mapping, and the size durable.
   * After a failure the state of the unforced bytes is unknown: do not call it again for them.
   */
  void force();

  /** Cuts the file; a size that is not smaller than the present one changes nothing. */
  void truncate(long sizeBytes);

  /**
   * Maps bytes that are already allocated on disk: what is stored there survives the death of the
   * process at once, and power loss after {@link #force}. Only for files opened buffered.
   *
   * @return the address of {@code offset}; valid until {@link Mapping#close}
   */
  Mapping map(long offset, long length);

  @Override
  void close();

  /** A mapped range of a file. */
  interface Mapping extends AutoCloseable {
    long address();

    long lengthBytes();

    /** Ends the mapping; touching its bytes afterwards is an error that may stop the process. */
    @Override
    void close();
  }
}
