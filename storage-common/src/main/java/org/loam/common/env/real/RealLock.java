package org.loam.common.env.real;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.error.InUseException;

/**
 * An operating-system lock on a file that holds its owner's {@linkplain LockClaim claim}, plus a
 * register of the locks of this process.
 *
 * <p>POSIX drops a process's locks on a file when the process closes any descriptor of it, as a
 * backup inside it does. So the lock alone says little, and what protects is the sum: the claim of
 * a process that runs refuses others; the lock is taken again four times a second; the owner finds
 * out by the token in the file that another one is in; and an opener that cannot see whether the
 * owner runs gives it the time to find that out (docs/adr/0033).
 *
 * <p>Openers lock bytes 0 and 1; an owner holds one of them and the other one in turn, because Java
 * refuses to lock again what it believes to be locked.
 */
final class RealLock implements DirectoryLock {
  private static final Logger LOGGER = LogManager.getLogger(RealLock.class);
  private static final long LOOK_MILLIS = 250;

  /** Four looks: an owner that is only slow has looked by then. */
  private static final long DOUBT_NANOS = 4 * LOOK_MILLIS * 1_000_000;

  /** How often the lock is tried again while another process holds it, and for how long. */
  private static final long TRY_NANOS = 1_000_000;

  private static final int TRIES = 1000;

  @GuardedBy("HELD")
  private static final Set<Path> HELD = new HashSet<>();

  /** Channels that must stay open for another class loader's lock to stay held. */
  private static final ConcurrentLinkedQueue<FileChannel> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  private final Path file;
  private final Path key;
  private final FileChannel channel;
  private final LockClaim claim;
  private final LockWatch watch;
  private volatile @Nullable Consumer<InUseException> listener;

  @GuardedBy("this")
  private FileLock held;

  @GuardedBy("this")
  private boolean lost;

  @GuardedBy("this")
  private boolean released;

  private RealLock(Path file, Path key, FileChannel channel, LockClaim claim, FileLock held) {
    this.file = file;
    this.key = key;
    this.channel = channel;
    this.claim = claim;
    this.held = held;
    this.watch = new LockWatch(file.toString(), LOOK_MILLIS, this::look, this::tellLost);
  }

  static RealLock take(Path file) {
    RealLock[] taken = new RealLock[1];
    try {
      // Where no interrupt closes the channel, and with it the lock.
      ForceThread.run(() -> taken[0] = registered(file));
      taken[0].watch.start(new RealTasks());
      return taken[0];
    } catch (IOException e) {
      throw IoFaults.onPath("lock", file, e);
    }
  }

  private static RealLock registered(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("not a file: " + file);
    }
    Path key = parent.toRealPath().resolve(file.getFileName());
    synchronized (HELD) {
      // Asked first: not even to open the file is harmless.
      if (!HELD.add(key)) {
        throw inUse(file, ProcessHandle.current().pid() + " (this one)");
      }
    }
    RealLock lock = null;
    try {
      lock = open(file, parent, key);
      return lock;
    } finally {
      if (lock == null) {
        forget(key);
      }
    }
  }

  /** Whether an engine of this process has the lock. */
  static boolean isHeldHere(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      return false;
    }
    Path key = parent.toRealPath().resolve(file.getFileName());
    synchronized (HELD) {
      return HELD.contains(key);
    }
  }

  private static void forget(Path key) {
    synchronized (HELD) {
      HELD.remove(key);
    }
  }

  private static RealLock open(Path file, Path parent, Path key) throws IOException {
    boolean doubtful = !Files.exists(file) && !isEmpty(parent);
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean keepOpen = false;
    try {
      FileLock held = lockBoth(channel);
      LockClaim found = LockClaim.read(channel);
      String fileKey = fileKey(file);
      LockClaim.Owner owner = found == null ? LockClaim.Owner.ENDED : found.owner(fileKey);
      if (held == null || owner == LockClaim.Owner.RUNS) {
        throw inUse(file, found == null ? "(unknown)" : Long.toString(found.pid()));
      }
      LockClaim claim = LockClaim.own(fileKey);
      claim.write(channel);
      RealLock lock = new RealLock(file, key, channel, claim, held);
      if (doubtful || owner == LockClaim.Owner.OUT_OF_SIGHT) {
        LOGGER.info("{} may be in use out of sight: waiting a second for its owner", file);
        new RealWaiter().pause(DOUBT_NANOS);
      }
      lock.look();
      keepOpen = true;
      return lock;
    } catch (OverlappingFileLockException e) {
      keepOpen = true;
      KEPT_OPEN.add(channel);
      throw inUse(file, ProcessHandle.current().pid() + " (this one)");
    } finally {
      if (!keepOpen) {
        channel.close();
      }
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Holds one byte when it returns, after it has held both; null if another process has one. */
  private static @Nullable FileLock lockBoth(FileChannel channel) throws IOException {
    FileLock first = channel.tryLock(0, 1, false);
    if (first == null) {
      return null;
    }
    FileLock second;
    try {
      second = channel.tryLock(1, 1, false);
    } catch (OverlappingFileLockException e) {
      first.release();
      throw e;
    }
    if (second == null) {
      first.release();
      return null;
    }
    second.release();
    return first;
  }

  static String fileKey(Path file) throws IOException {
    return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
  }

  private static InUseException inUse(Path file, String pid) {
    return new InUseException("the directory is in use: " + file + " is held by process " + pid);
  }

  @Override
  public void verify() {
    try {
      ForceThread.run(this::look);
    } catch (IOException e) {
      throw IoFaults.onPath("look after", file, e);
    }
  }

  /** Takes the lock again, and throws if another process has had it meanwhile. */
  private synchronized void look() throws IOException {
    if (released) {
      return;
    }
    if (lost) {
      throw takenAway();
    }
    boolean locked = lockAgain();
    // A process that is refused holds it for a moment, too; one that is not writes its claim.
    for (int i = 0; i < TRIES && !locked && isOwn(); i++) {
      new RealWaiter().pause(TRY_NANOS);
      locked = lockAgain();
    }
    if (!locked || !isOwn()) {
      lost = true;
      throw takenAway();
    }
  }

  private InUseException takenAway() {
    return new InUseException(
        "the directory was taken away: "
            + file
            + " belongs to another process now, or was deleted; close this engine, and open the"
            + " directory in one process only");
  }

  private synchronized boolean lockAgain() throws IOException {
    FileLock again;
    try {
      again = channel.tryLock(1 - held.position(), 1, false);
    } catch (OverlappingFileLockException e) {
      // An opener behind another class loader, which is going to be refused.
      return false;
    }
    if (again == null) {
      return false;
    }
    held.release();
    held = again;
    return true;
  }

  /** Whether the file that has the name is the one that has the lock, with this claim. */
  private boolean isOwn() throws IOException {
    try {
      return claim.file().equals(fileKey(file)) && claim.equals(LockClaim.read(channel));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private void tellLost(InUseException cause) {
    Consumer<InUseException> told = listener;
    if (told != null) {
      told.accept(cause);
    }
  }

  @Override
  public void onLost(Consumer<InUseException> told) {
    listener = told;
    boolean before;
    synchronized (this) {
      before = lost;
    }
    if (before) {
      told.accept(takenAway());
    }
  }

  /**
   * Gives up claim and lock; the file stays, as deleting it would let two openers lock two files.
   */
  @Override
  public void close() {
    try {
      ForceThread.run(this::release);
    } catch (IOException e) {
      throw IoFaults.onPath("unlock", file, e);
    }
    watch.join();
  }

  private synchronized void release() throws IOException {
    if (released) {
      return;
    }
    released = true;
    watch.stop();
    try {
      if (!lost && isOwn()) {
        channel.truncate(0);
      }
    } finally {
      try {
        channel.close();
      } finally {
        forget(key);
      }
    }
  }
}
