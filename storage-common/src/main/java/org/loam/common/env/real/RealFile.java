package org.loam.common.env.real;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;

/**
 * A file of the operating system. Unaligned reads of a direct file fetch the enclosing aligned
 * window; unaligned writes go through a second, buffered channel, which the kernel keeps coherent
 * with the direct one, so that they touch exactly the bytes asked for.
 *
 * <p>Forces have a channel of their own: an interrupt closes the channel of a read or a write, and
 * would fail a force of another thread on it.
 */
final class RealFile implements StorageFile {
  private static final int MASK = StorageFiles.ALIGNMENT - 1;

  private final Path path;
  private final FileHandle handle;
  private final boolean direct;
  private final @Nullable FileHandle unalignedWrites;
  private final @Nullable FileHandle forces;

  /**
   * @param unalignedWrites the same file opened buffered, where {@code handle} is direct and the
   *     file is to be written
   * @param forces the same file opened for nothing but forces; null if it is read-only
   */
  RealFile(
      Path path,
      FileHandle handle,
      @Nullable FileHandle unalignedWrites,
      @Nullable FileHandle forces,
      boolean direct) {
    this.path = path;
    this.handle = handle;
    this.unalignedWrites = unalignedWrites;
    this.forces = forces;
    this.direct = direct;
  }

  @Override
  public Path path() {
    return path;
  }

  boolean isDirect() {
    return direct;
  }

  @Override
  public long sizeBytes() {
    try {
      return handle.call(FileChannel::size);
    } catch (IOException e) {
      throw IoFaults.onPath("read the size of", path, e);
    }
  }

  @Override
  public void read(long offset, long address, int length) {
    checkRange(offset, length);
    IoWindow window = IoWindow.acquire();
    try {
      if (!direct || ((offset | address | length) & MASK) == 0) {
        readAtLeast(window, offset, address, length, length);
      } else {
        readStaged(window, offset, address, length);
      }
    } catch (IOException e) {
      throw IoFaults.onBytes(IoFaults.READ, path, offset, length, e);
    } finally {
      window.release();
    }
  }

  /** Copies the asked bytes out of aligned chunks. */
  private void readStaged(IoWindow window, long offset, long address, int length)
      throws IOException {
    long staging = window.staging();
    long end = offset + length;
    for (long at = offset; at < end; ) {
      long chunk = at & -StorageFiles.ALIGNMENT;
      long chunkEnd = Math.min(end, chunk + IoWindow.STAGING_BYTES);
      int needed = (int) (chunkEnd - chunk);
      readAtLeast(window, chunk, staging, (needed + MASK) & ~MASK, needed);
      Mem.copy(staging + (at - chunk), address + (at - offset), chunkEnd - at);
      at = chunkEnd;
    }
  }

  /** Reads up to {@code length} bytes and fails unless {@code needed} of them are there. */
  private void readAtLeast(IoWindow window, long offset, long address, int length, int needed)
      throws IOException {
    int done = 0;
    while (done < needed) {
      // A direct read that stopped inside a block goes on from the block's start.
      int from = direct ? done & ~MASK : done;
      int n = handle.read(window, offset + from, address + from, length - from);
      if (n <= 0 || from + n <= done) {
        throw IoFaults.endOfFile(path, offset, needed, sizeBytes());
      }
      done = from + n;
    }
  }

  @Override
  public void write(long offset, long address, int length) {
    checkRange(offset, length);
    checkWritable("write");
    IoWindow window = IoWindow.acquire();
    int done = 0;
    try {
      while (done < length) {
        done += writeSome(window, offset + done, address + done, length - done);
      }
    } catch (IOException e) {
      throw IoFaults.onBytes(IoFaults.WRITE, path, offset + done, length - done, e);
    } finally {
      window.release();
    }
  }

  private int writeSome(IoWindow window, long offset, long address, int length) throws IOException {
    boolean aligned = ((offset | address | length) & MASK) == 0;
    FileHandle target = unalignedWrites == null || aligned ? handle : unalignedWrites;
    int written = target.write(window, offset, address, length);
    if (written <= 0) {
      throw new IOException("the system accepted none of the bytes");
    }
    return written;
  }

  /** On Linux this includes what was written through mappings and through the other channels. */
  @Override
  public void force() {
    FileHandle target = forces;
    if (target == null) {
      throw readOnly("force");
    }
    try {
      target.force();
    } catch (IOException e) {
      throw IoFaults.onPath("force", path, e);
    }
  }

  @Override
  public void truncate(long sizeBytes) {
    checkWritable("truncate");
    try {
      handle.call(channel -> channel.truncate(sizeBytes));
    } catch (IOException e) {
      throw IoFaults.onPath("truncate", path, e);
    }
  }

  @Override
  public Mapping map(long offset, long length) {
    checkWritable("map");
    if (direct) {
      throw new IllegalArgumentException("cannot map " + path + ": it was not opened buffered");
    }
    long sizeBytes = sizeBytes();
    if (offset < 0 || length <= 0 || length > Integer.MAX_VALUE || offset + length > sizeBytes) {
      throw new IllegalArgumentException(
          "cannot map "
              + length
              + " bytes at "
              + offset
              + " of "
              + path
              + ": it has "
              + sizeBytes
              + " bytes, and one mapping may have "
              + Integer.MAX_VALUE);
    }
    try {
      return new RealMapping(handle.call(c -> c.map(MapMode.READ_WRITE, offset, length)));
    } catch (IOException e) {
      throw IoFaults.onBytes("map", path, offset, length, e);
    }
  }

  @Override
  public void close() {
    try (FileHandle first = handle;
        FileHandle second = unalignedWrites;
        FileHandle third = forces) {
      // All are closed, whatever the others do.
    } catch (IOException e) {
      throw IoFaults.onPath("close", path, e);
    }
  }

  private void checkRange(long offset, int length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          path + ": offset " + offset + " and length " + length + " must not be negative");
    }
  }

  private void checkWritable(String operation) {
    if (forces == null) {
      throw readOnly(operation);
    }
  }

  private IllegalArgumentException readOnly(String operation) {
    return new IllegalArgumentException(
        "cannot " + operation + " " + path + ": it was opened read-only");
  }

  private static final class RealMapping implements Mapping {
    private final MappedByteBuffer buffer;
    private final long address;
    private final long lengthBytes;

    @GuardedBy("this")
    private boolean closed;

    RealMapping(MappedByteBuffer buffer) {
      this.buffer = buffer;
      this.address = Mem.addressOf(buffer);
      this.lengthBytes = buffer.capacity();
      Mem.register(address, lengthBytes, "mapped file");
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public long lengthBytes() {
      return lengthBytes;
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        Mem.unregister(address);
        Mem.unmap(buffer);
      }
    }
  }
}
