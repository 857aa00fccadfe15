package org.loam.lsm.manifest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.OpenDirectory;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.lsm.manifest.ManifestEdit.Identity;
import org.loam.lsm.manifest.ManifestEdit.Seal;

/**
 * The engine's manifest. Thread-safe. An edit counts once {@link #commit} has returned; a failed
 * write or force fences it, since it is not known then what the disk holds.
 *
 * <p>Life: {@link #create} or {@link #open}, then {@link #start}, then {@link #commit} any number
 * of times, then {@link #close}. Between open and start nothing is written, so that recovery can
 * check {@link #verifyForced} first.
 */
public final class Manifest implements AutoCloseable {
  private final StorageEnv env;
  private final Path directory;
  private final Monitor lock;

  @GuardedBy("lock")
  private final ManifestState state;

  @GuardedBy("lock")
  private @Nullable ManifestFile file;

  @GuardedBy("lock")
  private long fileNumber;

  @GuardedBy("lock")
  private long forcedBytes;

  @GuardedBy("lock")
  private @Nullable Throwable failure;

  private Manifest(
      StorageEnv env, Path directory, ManifestState state, long fileNumber, long forcedBytes) {
    this.env = env;
    this.directory = directory;
    this.lock = env.waiter().newMonitor("manifest");
    this.state = state;
    this.fileNumber = fileNumber;
    this.forcedBytes = forcedBytes;
  }

  /** Whether the directory holds a database. */
  public static boolean exists(StorageEnv env, Path directory) {
    return env.files().exists(CurrentFile.path(directory));
  }

  /** Begins a database; on disk once {@link #start} has returned. */
  public static Manifest create(StorageEnv env, Path directory, DatabaseIdentity identity) {
    ManifestState state = new ManifestState();
    state.apply(ManifestEdit.of(new Identity(identity)));
    return new Manifest(env, directory, state, 0, 0);
  }

  /**
   * Reads the manifest that {@code current} names.
   *
   * @throws CorruptionException if it is damaged, naming file and offset
   * @throws org.loam.common.error.UnsupportedFormatException if a newer version wrote it
   */
  public static Manifest open(StorageEnv env, Path directory) {
    long number = CurrentFile.read(env, directory);
    ManifestReader reader = ManifestReader.read(env, ManifestFile.path(directory, number), number);
    return new Manifest(env, directory, reader.state(), number, reader.validBytes());
  }

  /**
   * An older build must not read the database any more; on disk once {@link #start} has returned.
   *
   * @param features what a reader must know from now on
   */
  public void addFeatures(long features) {
    lock.lock();
    try {
      state.addFeatures(features);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps the numbers of data directories that are there; on disk once {@link #start} has returned.
   *
   * @param next above all of them
   */
  public void reserveDirectories(int next) {
    lock.lock();
    try {
      state.reserveDirectories(next);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks what a mark in the log says was forced.
   *
   * @throws CorruptionException if this file is shorter than it was then, or older than the one
   *     that counted then
   */
  public void verifyForced(long markedFileNumber, long markedBytes) {
    lock.lock();
    try {
      if (markedFileNumber > fileNumber) {
        throw new CorruptionException(
            CurrentFile.path(directory)
                + " names manifest "
                + fileNumber
                + ", but the log says that "
                + markedFileNumber
                + " was in use: the log has gone on for a copy of the database, or this is an older"
                + " copy: open the one that the log went on for, or restore both from a backup");
      }
      if (markedFileNumber == fileNumber && markedBytes > forcedBytes) {
        throw new CorruptionException(
            ManifestFile.path(directory, fileNumber)
                + ": the log says that "
                + markedBytes
                + " bytes were forced, only "
                + forcedBytes
                + " are readable; restore the file from a backup");
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes the state to a fresh file and makes it the one that counts; removes all others. */
  public void start() {
    lock.lock();
    try {
      rotate(0, 0);
      ManifestFile.deleteOthers(env.files(), directory, fileNumber);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes a change durable, then applies it.
   *
   * @throws org.loam.common.error.DiskFullException if a new file was needed and has no room;
   *     nothing changed
   * @throws FencedException if a write or force failed, now or earlier; an {@link Error} in its
   *     midst is thrown as it is, and from then on this
   * @throws AssertionError if the edit does not fit the state; nothing was written
   */
  public void commit(ManifestEdit edit) {
    lock.lock();
    try {
      if (failure != null) {
        throw new FencedException("the manifest failed earlier: " + failure.getMessage(), failure);
      }
      state.requireFits(edit);
      byte[] bytes = EditCodec.encode(edit);
      // An older build refuses the new file by its first block, and never meets the edit.
      long features = state.newFeatures(edit);
      if (features != 0 || !current().hasRoom(bytes.length)) {
        rotate(bytes.length, features);
      }
      try {
        current().append(bytes);
        forcedBytes = current().endOffset();
        state.apply(edit);
      } catch (StorageException | Error e) {
        throw failed("write the manifest", e);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reads the state; the function must not keep it. */
  public <T> T read(Function<ManifestState, T> reader) {
    lock.lock();
    try {
      return reader.apply(state);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The state at one moment, for the manifest of a copy of the database.
   *
   * @param logEnd says where the log ends at that moment: no edit comes between the two, so the log
   *     up to there names no tree that the state lacks, and holds no write after an edit that the
   *     state lacks
   * @param directoriesId random; that of the copy
   */
  public ManifestImage image(LongSupplier logEnd, long directoriesId) {
    lock.lock();
    try {
      // A number above all that marks in the log may say.
      return new ManifestImage(fileNumber + 1, logEnd.getAsLong(), directoriesId, state);
    } finally {
      lock.unlock();
    }
  }

  /** The number of the file in use, for marks in the log. */
  public long fileNumber() {
    lock.lock();
    try {
      return fileNumber;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the file in use that are durable, for marks in the log. */
  public long forcedBytes() {
    lock.lock();
    try {
      return forcedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Records a clean close. */
  public void seal() {
    commit(new ManifestEdit(List.of(new Seal())));
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (file != null) {
        file.close();
        file = null;
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private ManifestFile current() {
    if (file == null) {
      throw new IllegalStateException("the manifest was not started, or is closed");
    }
    return file;
  }

  /**
   * Goes on in a fresh file.
   *
   * @param roomBytes length of an edit that it must have room for beside the state
   * @param features which a reader must know from this file on
   */
  @GuardedBy("lock")
  private void rotate(int roomBytes, long features) {
    DatabaseIdentity identity = state.identity().with(features);
    byte[] snapshot = EditCodec.encode(state.snapshot(identity));
    long number = fileNumber + 1;
    StorageFiles files = env.files();
    Path path = ManifestFile.path(directory, number);
    if (files.exists(path)) {
      files.delete(path);
    }
    ManifestFile next =
        ManifestFile.create(files, directory, number, identity.featureBits(), snapshot, roomBytes);
    try (OpenDirectory open = files.openDirectory(directory)) {
      CurrentFile.prepare(env, directory, number);
      publish(open);
    } catch (StorageException | Error e) {
      next.close();
      throw e;
    }
    ManifestFile previous = file;
    file = next;
    fileNumber = number;
    forcedBytes = next.endOffset();
    state.addFeatures(features);
    if (previous != null) {
      ManifestFile.dispose(files, previous);
    }
  }

  @GuardedBy("lock")
  private void publish(OpenDirectory open) {
    try {
      CurrentFile.publish(env, directory, open);
    } catch (StorageException | Error e) {
      throw failed("switch to a new manifest", e);
    }
  }

  /** Nothing may be written any more, as it is not known what the disk holds. */
  @GuardedBy("lock")
  private FencedException failed(String attempt, Throwable cause) {
    failure = cause;
    if (cause instanceof Error e) {
      throw e;
    }
    return new FencedException("cannot " + attempt + ": " + cause.getMessage(), cause);
  }
}
