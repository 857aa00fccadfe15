package org.loam.common.env;

/** A file that a test makes up and that is never written. */
public interface ReadOnlyFile extends StorageFile {
  @Override
  default void write(long offset, long address, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  default void force() {
    throw new UnsupportedOperationException();
  }

  @Override
  default void truncate(long sizeBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  default Mapping map(long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  default void close() {}
}
