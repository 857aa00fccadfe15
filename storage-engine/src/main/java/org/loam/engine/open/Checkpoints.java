package org.loam.engine.open;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.operation.Closing;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.engine.report.CheckpointReport;
import org.loam.log.CommitLog;
import org.loam.lsm.manifest.ManifestImage;
import org.loam.lsm.manifest.ManifestImage.Table;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.RateLimiter;

/**
 * Makes databases in other directories that are as this one would be if its process had died at a
 * moment: its tables, the log up to there, and a manifest with the state of then. The engine goes
 * on meanwhile. Thread-safe.
 */
public final class Checkpoints {
  private static final int PIECE_BYTES = 1 << 20;
  private static final String LOCK = "lock";

  private final Storage storage;
  private final StorageEnv env;
  private final Operations operations;
  private final CommitLatch latch;
  private final Epochs fileEpochs;
  private final RateLimiter limiter;

  /**
   * The checkpoints of an open database.
   *
   * @param limiter bounds what copies of tables read and write
   */
  Checkpoints(
      Storage storage,
      Operations operations,
      CommitLatch latch,
      Epochs fileEpochs,
      RateLimiter limiter) {
    this.storage = storage;
    this.env = storage.env();
    this.operations = operations;
    this.latch = latch;
    this.fileEpochs = fileEpochs;
    this.limiter = limiter;
  }

  /**
   * Makes one. After a failure its directory is no database, and empty as far as that is possible.
   *
   * @param target does not exist, or is empty
   * @throws IllegalArgumentException if it is not, or lies in the directory of this database; or if
   *     a part of the database lies where no checkpoint reaches it
   * @throws org.loam.common.error.ClosedException if the engine is closed meanwhile
   */
  public CheckpointReport make(Path target) {
    OperationContext context = operations.enter();
    try {
      latch.requireNotFenced();
      requireOwnLog();
      requireOutside(target);
      requireEmpty(target);
      DataDirectories.create(env, target);
      // No other checkpoint comes here, and no engine, before this one is whole.
      try (DirectoryLock lock = env.files().lock(target.resolve(LOCK))) {
        requireEmpty(target);
        return new Copy(target, lock).fillOrClear();
      }
    } finally {
      operations.exit(context);
    }
  }

  private void requireOwnLog() {
    if (storage.log().isHosted()) {
      throw new IllegalArgumentException(
          "the database in "
              + storage.directory()
              + " lies below the log of a host, without which it is not whole; make a backup of"
              + " both with the means of the host");
    }
  }

  private void requireOutside(Path target) {
    requireOutside(target, storage.directory());
    storage.directories().tailMap(1).values().forEach(data -> requireOutside(target, data));
  }

  private void requireOutside(Path target, Path own) {
    StorageFiles files = env.files();
    if (files.realPath(target).startsWith(files.realPath(own))) {
      throw new IllegalArgumentException(
          "the checkpoint would be in "
              + target
              + ", which is in a directory of the database, "
              + own
              + "; choose a directory outside");
    }
  }

  private void requireEmpty(Path target) {
    if (!env.files().exists(target)) {
      return;
    }
    for (String name : env.files().list(target)) {
      if (!name.equals(LOCK)) {
        throw new IllegalArgumentException(
            "the checkpoint would be in "
                + target
                + ", which is not empty: there is "
                + name
                + "; choose an empty directory, or one that does not exist");
      }
    }
  }

  private static long bytes(List<Table> tables) {
    return tables.stream().mapToLong(table -> table.meta().sizeBytes()).sum();
  }

  /**
   * One checkpoint. Its files look after the lock of the target, and after that one only: so it
   * makes nothing in a directory that was taken away, and still clears what it made when the
   * database was.
   */
  private final class Copy {
    private final Path target;
    private final StorageEnv owned;
    private final StorageFiles files;
    private final Path data;
    private final Path log;

    /** Each deletes names that were made, and no others; the last ones first. */
    private final Deque<Runnable> undo = new ArrayDeque<>();

    Copy(Path target, DirectoryLock lock) {
      this.target = target;
      this.owned = OwnedFiles.in(env, lock);
      this.files = owned.files();
      this.data = Storage.dataDirectory(target);
      this.log = target.resolve("log");
    }

    private CheckpointReport fillOrClear() {
      try {
        return fill();
      } catch (Throwable t) {
        // Up to the first that fails: tables that a manifest names are not deleted before it.
        Closing.run(() -> undo.forEach(Runnable::run), t);
        throw t;
      }
    }

    private CheckpointReport fill() {
      long begun = env.clock().nanoTime();
      undo.push(() -> deleteIfEmpty(data));
      files.createDirectories(data);
      undo.push(this::deleteLog);
      files.createDirectories(log);
      Path parent = target.toAbsolutePath().getParent();
      if (parent != null) {
        files.forceDirectory(parent);
      }
      files.forceDirectory(target);
      ManifestImage image;
      List<Table> copied;
      long logBytes;
      // Before the state is taken: the files of tables that it names are not deleted from here on.
      int slot = fileEpochs.enter();
      try {
        // Before it, too: the segments from its truncation LSN on are not used again.
        try (CommitLog.Hold hold = storage.log().hold()) {
          image = storage.manifest().image(storage.log()::endLsn, env.random().nextLong());
          storage.log().awaitDurable(image.logEndLsn(), Long.MAX_VALUE);
          logBytes =
              hold.copy(
                  files, log, image.truncationLsn(), image.logEndLsn(), operations::requireOpen);
        }
        undo.push(() -> image.tables().forEach(t -> deleteIfThere(path(t))));
        copied = link(image.tables());
      } finally {
        fileEpochs.exit(slot);
        fileEpochs.collect();
      }
      files.forceDirectory(data);
      files.forceDirectory(log);
      // What was copied from a directory that another engine had by then fits nothing.
      storage.lock().verify();
      undo.push(() -> image.withdraw(owned, target));
      image.publish(owned, target);
      long copiedBytes = bytes(copied);
      return new CheckpointReport(
          target.toString(),
          image.tables().size() - copied.size(),
          bytes(image.tables()) - copiedBytes,
          copied.size(),
          copiedBytes,
          logBytes,
          env.clock().nanoTime() - begun);
    }

    /**
     * Gives tables a second name, or copies them where that is refused; returns the copied ones.
     */
    private List<Table> link(List<Table> tables) {
      List<Table> copied = new ArrayList<>();
      SortedMap<Integer, Path> sources = storage.tableDirectories();
      for (Table table : tables) {
        operations.requireOpen();
        Path directory = Objects.requireNonNull(sources.get(table.directory()));
        Path source = directory.resolve(table.meta().fileName());
        if (!files.link(source, path(table))) {
          copy(source, path(table));
          copied.add(table);
        }
      }
      return copied;
    }

    /** All tables are in one directory, as their names differ. */
    private Path path(Table table) {
      return data.resolve(table.meta().fileName());
    }

    private void copy(Path from, Path to) {
      RateLimiter.Claim claim = limiter.newClaim(IoClass.MERGE);
      long piece = Mem.allocate(PIECE_BYTES, StorageFiles.ALIGNMENT, "copies of SSTables");
      try (StorageFile source = files.open(from, Mode.READ);
          StorageFile copy = files.open(to, Mode.CREATE)) {
        long bytes = source.sizeBytes();
        int length;
        for (long at = 0; at < bytes; at += length) {
          length = (int) Math.min(limiter.quantumBytes(PIECE_BYTES), bytes - at);
          claim.acquire(2L * length);
          operations.requireOpen();
          source.read(at, piece, length);
          copy.write(at, piece, length);
        }
        copy.force();
      } finally {
        Mem.free(piece);
      }
    }

    private void deleteLog() {
      if (files.exists(log)) {
        for (String name : files.list(log)) {
          if (name.startsWith("log-")) {
            files.delete(log.resolve(name));
          }
        }
      }
      deleteIfEmpty(log);
    }

    private void deleteIfEmpty(Path directory) {
      if (files.exists(directory) && files.list(directory).isEmpty()) {
        files.delete(directory);
      }
    }

    private void deleteIfThere(Path file) {
      if (files.exists(file)) {
        files.delete(file);
      }
    }
  }
}
