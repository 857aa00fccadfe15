package org.loam.tuner.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;
import org.loam.tuner.cost.Require;

/**
 * Appends entries to a file of bounded size. When a line does not fit into half of the bound, the
 * file becomes the older one, which it replaces, and a new one begins. Has one thread.
 *
 * <p>A process that ends within a line leaves a part of it: the next line begins on a new one.
 */
public final class HistoryWriter implements AutoCloseable {
  private static final long LEAST_BYTES = 1 << 16;

  private final StorageFiles files;
  private final Path path;
  private final long halfBytes;
  private StorageFile file;
  private long size;

  /**
   * Opens a history, and creates it if it is not there.
   *
   * @param mostBytes of both files together; a single line may be longer than half of it
   * @throws org.loam.common.error.StorageIoException if the file cannot be opened
   */
  public HistoryWriter(StorageFiles files, Path path, long mostBytes) {
    Require.atLeast("mostBytes", mostBytes, LEAST_BYTES);
    this.files = files;
    this.path = path;
    this.halfBytes = mostBytes / 2;
    boolean exists = files.exists(path);
    this.file = files.open(path, exists ? Mode.WRITE_BUFFERED : Mode.CREATE_BUFFERED);
    this.size = file.sizeBytes();
  }

  /**
   * Appends an entry.
   *
   * @throws org.loam.common.error.StorageIoException if it cannot be written; the history stays
   *     usable
   */
  public void append(HistoryEntry entry) {
    byte[] line = (HistoryLines.line(entry) + "\n").getBytes(UTF_8);
    if (size > 0 && size + line.length > halfBytes) {
      beginFile();
    }
    write(size > 0 && !endsALine() ? newLineAnd(line) : line);
  }

  /** If it fails, the file of before is still open, whatever its name is by now. */
  private void beginFile() {
    if (files.exists(path)) {
      files.rename(path, HistoryLines.older(path));
    }
    StorageFile begun = files.open(path, Mode.CREATE_BUFFERED);
    StorageFile full = file;
    file = begun;
    size = 0;
    full.close();
  }

  private static byte[] newLineAnd(byte[] line) {
    byte[] both = new byte[line.length + 1];
    both[0] = '\n';
    System.arraycopy(line, 0, both, 1, line.length);
    return both;
  }

  private boolean endsALine() {
    long address = Mem.allocate(1, 1, "history of the tuner");
    try {
      file.read(size - 1, address, 1);
      return Mem.getByte(address) == '\n';
    } finally {
      Mem.free(address);
    }
  }

  private void write(byte[] bytes) {
    long address = Mem.allocate(bytes.length, 1, "history of the tuner");
    try {
      Mem.copyIn(bytes, 0, address, bytes.length);
      file.write(size, address, bytes.length);
      size += bytes.length;
    } finally {
      Mem.free(address);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
