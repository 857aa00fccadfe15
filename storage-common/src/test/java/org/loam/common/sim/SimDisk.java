package org.loam.common.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/**
 * A disk that survives the crashes of the process using it. The public methods are tools for tests:
 * they look at and change files behind the engine's back, durably, are no I/O calls and never fail
 * by plan. To be used by the thread that holds the baton, or by any thread while no simulation
 * runs.
 */
public final class SimDisk {
  private static final Path ROOT = Path.of("/");
  private static final long DEFAULT_CAPACITY_BYTES = 1L << 40;

  private SimRandom random;
  private Namespace names = new Namespace();
  private List<SimMapping> mappings = new ArrayList<>();
  private long capacityBytes = DEFAULT_CAPACITY_BYTES;
  private long allocatedPages;
  private Predicate<Path> slowPaths = path -> false;
  private long slowForceNanos;
  private long forcedBytes;

  SimDisk(SimRandom random) {
    this.random = random;
    SimInode root = new SimInode(this, true);
    names.create(ROOT, root);
    addName(root);
    names.settle();
  }

  // Tools for tests.

  /** An independent disk in the same state, unforced bytes and names included. */
  public SimDisk copy() {
    absorbMappings();
    SimDisk copy = new SimDisk(new SimRandom(0, 0));
    IdentityHashMap<SimInode, SimInode> copies = new IdentityHashMap<>();
    for (SimInode inode : names.reachable()) {
      copies.put(inode, inode.copyTo(copy));
    }
    copy.names = names.copy(copies);
    copy.capacityBytes = capacityBytes;
    copy.countPages();
    return copy;
  }

  /**
   * Bytes that forces have written to the device, at most: as if folios were as large as mappings.
   */
  public long forcedBytes() {
    return forcedBytes;
  }

  void addForcedBytes(long bytes) {
    forcedBytes += bytes;
  }

  /** From now on a force of such a file takes at least so long; other threads go on meanwhile. */
  public void slowForces(Predicate<Path> paths, long nanos) {
    slowPaths = paths;
    slowForceNanos = nanos;
  }

  /** What a force of a file takes beyond the usual. */
  long slowForceNanos(Path path) {
    return slowPaths.test(path) ? slowForceNanos : 0;
  }

  /** The paths of all files, directories excluded, in order. */
  public List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<Path, SimInode> entry : names.names().entrySet()) {
      if (!entry.getValue().directory) {
        files.add(entry.getKey());
      }
    }
    return files;
  }

  /** The bytes of a file, as a running process sees them. */
  public byte[] read(Path path) {
    SimInode inode = file(path);
    inode.absorbMappings();
    byte[] bytes = new byte[Math.toIntExact(inode.sizeBytes())];
    for (int at = 0; at < bytes.length; at += SimInode.PAGE_BYTES) {
      int count = Math.min(SimInode.PAGE_BYTES, bytes.length - at);
      System.arraycopy(inode.page(at / SimInode.PAGE_BYTES), 0, bytes, at, count);
    }
    return bytes;
  }

  /** Overwrites bytes of a file, or appends some. */
  public void overwrite(Path path, long offset, byte... bytes) {
    SimInode inode = file(path);
    if (bytes.length > 0) {
      long memory = Mem.allocate(bytes.length, 8, "overwrite");
      Mem.copyIn(bytes, 0, memory, bytes.length);
      inode.write(offset, memory, bytes.length);
      Mem.free(memory);
    }
    inode.settle();
  }

  /** Inverts the bits of the mask in one byte of a file. */
  public void flip(Path path, long offset, int mask) {
    int index = Math.toIntExact(offset / SimInode.PAGE_BYTES);
    int inPage = (int) (offset % SimInode.PAGE_BYTES);
    overwrite(path, offset, (byte) (file(path).page(index)[inPage] ^ mask));
  }

  /** Cuts a file. */
  public void truncate(Path path, long sizeBytes) {
    file(path).truncate(sizeBytes);
    file(path).settle();
  }

  /** Creates a file, or replaces its bytes; its directories are made. */
  public void put(Path path, byte[] bytes) {
    Path key = key(path);
    makeDirectories(key.getParent());
    SimInode inode = names.find(key);
    if (inode == null) {
      inode = new SimInode(this, false);
      names.create(key, inode);
      addName(inode);
    }
    names.settle();
    inode.truncate(0);
    overwrite(key, 0, bytes);
  }

  /** Removes a file. */
  public void remove(Path path) {
    delete(path, file(path));
    names.settle();
  }

  /** Makes directories, durably. */
  public void makeDirectories(@Nullable Path directory) {
    if (directory != null && names.find(key(directory)) == null) {
      makeDirectories(key(directory).getParent());
      createDirectory(directory);
      names.settle();
    }
  }

  /** Copies the files below a directory of this disk into a real one, which must be empty. */
  public void exportTo(Path real, Path directory) {
    Path from = key(directory);
    try {
      for (Path file : files()) {
        if (file.startsWith(from)) {
          Path target = real.resolve(from.relativize(file).toString());
          Files.createDirectories(target.getParent());
          Files.write(target, read(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies the files below a real directory into one of this disk. */
  public void importFrom(Path real, Path directory) {
    try (var tree = Files.walk(real)) {
      for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
        put(directory.resolve(real.relativize(file).toString()), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  /** Changes the size of the disk; below what is used, writes that need space fail. */
  public void capacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  /** Bytes of pages that files occupy, deleted ones that are still open included. */
  public long usedBytes() {
    return allocatedPages * SimInode.PAGE_BYTES;
  }

  public long freeBytes() {
    return Math.max(0, capacityBytes - usedBytes());
  }

  private SimInode file(Path path) {
    SimInode inode = names.find(key(path));
    if (inode == null || inode.directory) {
      throw new IllegalArgumentException("no such file on the simulated disk: " + path);
    }
    return inode;
  }

  // For the simulation.

  /** Where relative paths start does not matter to a simulated process. */
  static Path key(Path path) {
    return ROOT.resolve(path).normalize();
  }

  SimRandom random() {
    return random;
  }

  void random(SimRandom fresh) {
    random = fresh;
  }

  @Nullable SimInode find(Path path) {
    return names.find(key(path));
  }

  SimInode createFile(Path path) {
    SimInode inode = new SimInode(this, false);
    names.create(key(path), inode);
    addName(inode);
    return inode;
  }

  void createDirectory(Path path) {
    SimInode inode = new SimInode(this, true);
    names.create(key(path), inode);
    addName(inode);
  }

  void link(Path path, SimInode inode) {
    names.create(key(path), inode);
    addName(inode);
  }

  void rename(Path from, Path to, SimInode inode) {
    SimInode replaced = names.find(key(to));
    names.rename(key(from), key(to), inode);
    if (replaced != null && replaced != inode) {
      removeName(replaced);
    }
  }

  void delete(Path path, SimInode inode) {
    names.delete(key(path), inode);
    removeName(inode);
  }

  void forceDirectory(Path directory) {
    names.force(key(directory));
  }

  /** Names of the entries of a directory, sorted. */
  List<String> list(Path directory) {
    Path key = key(directory);
    List<String> entries = new ArrayList<>();
    for (Path path : names.names().keySet()) {
      if (key.equals(path.getParent())) {
        entries.add(path.getFileName().toString());
      }
    }
    entries.sort(null);
    return entries;
  }

  List<SimMapping> mappings() {
    return mappings;
  }

  void absorbMappings() {
    for (SimMapping mapping : mappings) {
      mapping.absorb();
    }
  }

  void addAllocatedPages(int change) {
    allocatedPages += change;
  }

  void openHandle(SimInode inode) {
    inode.openHandles++;
  }

  void closeHandle(SimInode inode) {
    inode.openHandles--;
    freeIfUnused(inode);
  }

  private static void addName(SimInode inode) {
    inode.names++;
  }

  private void removeName(SimInode inode) {
    inode.names--;
    freeIfUnused(inode);
  }

  private void freeIfUnused(SimInode inode) {
    if (inode.names == 0 && inode.openHandles == 0) {
      allocatedPages -= inode.allocatedPages();
    }
  }

  /**
   * Applies a crash.
   *
   * @return mappings of the dead process; release them when its threads are gone
   */
  List<SimMapping> crash(CrashKind kind, Counters counters) {
    List<SimMapping> dead = mappings;
    for (SimMapping mapping : dead) {
      mapping.detach();
    }
    mappings = new ArrayList<>();
    if (kind == CrashKind.POWER_LOSS) {
      // Devices differ: some lose all that was not forced, some nothing, most a part.
      int keepPercent =
          switch (random.below(8)) {
            case 0 -> 0;
            case 1 -> 100;
            default -> random.below(101);
          };
      for (SimInode inode : names.reachable()) {
        inode.losePower(random, keepPercent, counters);
      }
      names.losePower(random, keepPercent, counters);
    }
    for (SimInode inode : names.reachable()) {
      inode.openHandles = 0;
      inode.names = 0;
    }
    names.names().values().forEach(SimDisk::addName);
    countPages();
    return dead;
  }

  private void countPages() {
    allocatedPages = 0;
    for (SimInode inode : new HashSet<>(names.names().values())) {
      allocatedPages += inode.allocatedPages();
    }
  }

  StorageIoException refusal(String what, Path path, String reason) {
    return new StorageIoException("cannot " + what + " " + path + ": " + reason);
  }
}
