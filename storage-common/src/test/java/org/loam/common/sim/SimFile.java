package org.loam.common.sim;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageIoException;

/** An open file of the simulated disk. */
final class SimFile implements StorageFile {
  private final SimIo io;
  private final SimInode inode;
  private final Path path;
  private final String text;
  private final boolean writable;
  private final boolean buffered;
  private boolean closed;

  SimFile(SimIo io, SimInode inode, Path path, boolean writable, boolean buffered) {
    this.io = io;
    this.inode = inode;
    this.path = path;
    this.text = path.toString();
    this.writable = writable;
    this.buffered = buffered;
    io.disk().openHandle(inode);
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long sizeBytes() {
    io.baton().step("size", text, 0, 0);
    checkOpen();
    return inode.sizeBytes();
  }

  @Override
  public void read(long offset, long address, int length) {
    checkRange(offset, length);
    FaultEffect effect = begin(IoKind.READ, offset, length);
    if (effect != null) {
      throw io.fault(effect, what("read", offset, length), length);
    }
    if (offset + length > inode.sizeBytes() && length > 0) {
      throw new StorageIoException(
          what("read", offset, length) + " failed: the file ends at " + inode.sizeBytes());
    }
    inode.absorbMappings();
    inode.read(offset, address, length);
    io.end();
  }

  @Override
  public void write(long offset, long address, int length) {
    checkRange(offset, length);
    checkWritable("write");
    FaultEffect effect = begin(IoKind.WRITE, offset, length);
    inode.absorbMappings();
    long freePages = io.disk().freeBytes() / SimInode.PAGE_BYTES;
    int possible = inode.writableBytes(offset, length, freePages);
    int done = Math.min(possible, io.partOf(length, effect));
    if (done > 0) {
      io.noteBytes(address, done);
      inode.write(offset, address, done);
    }
    if (effect != null) {
      throw io.fault(effect, what("write", offset, length), length - done);
    }
    if (possible < length) {
      throw io.diskFull(what("write", offset, length), length - possible, io.disk().freeBytes());
    }
    io.end();
  }

  @Override
  public void force() {
    checkWritable("force");
    FaultEffect effect = begin(IoKind.FORCE, 0, 0);
    if (effect != null) {
      inode.failForce(io.random());
      throw io.fault(effect, "force of " + text, -1);
    }
    long slowNanos = io.disk().slowForceNanos(path);
    if (slowNanos > 0) {
      new SimWaiter(io.baton()).pause(slowNanos);
    }
    inode.force();
    // It takes a while: what others write from here on is not part of it.
    io.baton().step("forced", text, 0, 0);
    io.end();
  }

  @Override
  public void truncate(long sizeBytes) {
    checkRange(sizeBytes, 0);
    checkWritable("truncate");
    FaultEffect effect = begin(IoKind.TRUNCATE, sizeBytes, 0);
    if (effect != null) {
      throw io.fault(effect, "truncate of " + text, -1);
    }
    inode.absorbMappings();
    for (SimMapping mapping : inode.mappings) {
      if (mapping.overlaps(sizeBytes, Long.MAX_VALUE - sizeBytes)) {
        throw new IllegalArgumentException("cannot truncate " + text + " within a mapping");
      }
    }
    inode.truncate(sizeBytes);
    io.end();
  }

  @Override
  public Mapping map(long offset, long length) {
    checkWritable("map");
    FaultEffect effect = begin(IoKind.MAP, offset, length);
    if (effect != null) {
      throw io.fault(effect, what("map", offset, length), length);
    }
    if (!buffered) {
      throw new IllegalArgumentException("cannot map " + text + ": it was not opened buffered");
    }
    if (offset < 0 || length <= 0 || offset + length > inode.sizeBytes()) {
      throw new IllegalArgumentException(
          "cannot map "
              + length
              + " bytes at "
              + offset
              + " of "
              + text
              + ": it has "
              + inode.sizeBytes()
              + " bytes");
    }
    if (inode.writableBytes(offset, Math.toIntExact(length), 0) < length) {
      throw new IllegalArgumentException(
          "cannot map "
              + length
              + " bytes at "
              + offset
              + " of "
              + text
              + ": not all of them were ever written, and a full disk would kill the process");
    }
    for (SimMapping mapping : inode.mappings) {
      if (mapping.overlaps(offset, length)) {
        throw new IllegalArgumentException(
            "the simulation cannot map bytes of " + text + " twice at a time");
      }
    }
    Mapping mapping = new SimMapping(inode, offset, length);
    io.end();
    return mapping;
  }

  @Override
  public void close() {
    io.baton().step("close", text, 0, 0);
    if (!closed) {
      closed = true;
      io.disk().closeHandle(inode);
    }
  }

  private @Nullable FaultEffect begin(IoKind kind, long offset, long length) {
    checkOpen();
    return io.begin(kind, path, text, offset, length);
  }

  private String what(String operation, long offset, long length) {
    return operation + " of " + length + " bytes at offset " + offset + " of " + text;
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException(text + " was closed");
    }
  }

  private void checkRange(long offset, int length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          text + ": offset " + offset + " and length " + length + " must not be negative");
    }
  }

  private void checkWritable(String operation) {
    if (!writable) {
      throw new IllegalArgumentException(
          "cannot " + operation + " " + text + ": it was opened read-only");
    }
  }
}
