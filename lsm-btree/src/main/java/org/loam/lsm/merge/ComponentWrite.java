package org.loam.lsm.merge;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.lsm.read.Entry;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.StepResult;

/**
 * A merge: writes a stream of entries into new SSTables and hands these to the tree. Between steps
 * it holds its buffers and open files, nothing else.
 */
final class ComponentWrite implements BackgroundOperation {
  /**
   * What distinguishes one from another.
   *
   * @param inputBytes size of the inputs
   * @param opener opens stream and output in the first step
   * @param sink takes the result
   * @param release gives the buffers back
   */
  record Job(
      IoClass ioClass,
      long inputBytes,
      Supplier<Opened> opener,
      ComponentSink sink,
      Runnable release) {}

  /** Stream and output. */
  record Opened(EntryStream stream, TableOutput output) {}

  /** Entries between looks at the clock of bytes. */
  private static final int ENTRIES_PER_LOOK = 16;

  /** A value of that size counts as one more entry. */
  private static final int LARGE_VALUE_BYTES = 16 << 10;

  private final Job job;
  private final TableStore store;
  private @Nullable Opened opened;
  private @Nullable List<LiveTable> tables;

  /** From the call of the sink on, until it is known to have done nothing. */
  private boolean installing;

  private boolean ended;
  private volatile long remainingInputBytes;
  private long transferredBytes;

  ComponentWrite(Job job, TableStore store) {
    this.job = job;
    this.store = store;
    this.remainingInputBytes = job.inputBytes();
  }

  @Override
  public IoClass ioClass() {
    return job.ioClass();
  }

  @Override
  public long remainingInputBytes() {
    return remainingInputBytes;
  }

  @Override
  public long transferredBytes() {
    return transferredBytes;
  }

  @Override
  public StepResult step(long quantumBytes) {
    if (job.sink().isDropped()) {
      abort();
      return StepResult.DONE;
    }
    Opened o = opened;
    if (o == null) {
      job.sink().prepare();
      o = job.opener().get();
      opened = o;
    }
    long target = transferredBytes + quantumBytes;
    boolean more = true;
    while (more && transferredBytes < target) {
      more = advance(o);
      transferredBytes = o.stream().consumedBytes() + o.output().sizeBytes();
    }
    remainingInputBytes = Math.max(0, job.inputBytes() - o.stream().consumedBytes());
    if (more) {
      return o.output().needsForce() ? StepResult.NEEDS_FORCE : StepResult.MORE;
    }
    install(o);
    return StepResult.DONE;
  }

  /** Writes a few entries, or drops some; false if there are no more. */
  static boolean advance(Opened o) {
    for (int i = 0; i < ENTRIES_PER_LOOK; i++) {
      EntryStream.Next found = o.stream().next();
      if (found != EntryStream.Next.ENTRY) {
        return found == EntryStream.Next.NOTHING_YET;
      }
      Entry entry = o.stream().entry();
      o.output().add(entry, o.stream().isNewKey());
      i += entry.valueLength() / LARGE_VALUE_BYTES;
    }
    return true;
  }

  private void install(Opened o) {
    o.stream().close();
    List<LiveTable> result = o.output().finish();
    tables = result;
    installing = true;
    boolean installed;
    try {
      installed = job.sink().install(result);
    } catch (FencedException e) {
      // The tree does not show the tables, whatever the manifest says.
      result.forEach(store::closeQuietly);
      throw e;
    } catch (StorageException e) {
      installing = false;
      throw e;
    }
    if (!installed) {
      installing = false;
      abort();
      return;
    }
    ended = true;
    job.release().run();
  }

  @Override
  public void force() {
    Opened o = opened;
    if (o != null) {
      o.output().force();
    }
  }

  @Override
  public void abort() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      dispose();
    } finally {
      job.release().run();
      job.sink().aborted();
    }
  }

  private void dispose() {
    Opened o = opened;
    if (o == null) {
      return;
    }
    o.stream().close();
    if (installing) {
      // Whether the manifest names the files is not known; the next open knows, and deletes them
      // if it does not.
      return;
    }
    List<LiveTable> made = tables;
    if (made != null) {
      made.forEach(store::closeQuietly);
    }
    o.output().abandon();
  }
}
