package org.loam.lsm.merge;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.StepResult;
import org.loam.scheduler.work.WorkListener;

/**
 * The flush of one or more components, each of another tree. The tables of one component after the
 * other are written; then all files are forced, and each directory once; then the tables are put in
 * place together. A component therefore costs little more than its bytes, however small it is.
 *
 * <p>Between steps it holds its buffers and open files, nothing else. One thread at a time.
 */
public final class FlushWrite implements BackgroundOperation {
  /** Opens the output for a component. */
  interface Opener {
    /** The entries of the component, and where they go. */
    ComponentWrite.Opened open(FlushPart part);
  }

  private final Opener opener;
  private final long forceBytes;
  private final Runnable install;
  private final Runnable release;
  private final List<Work> works = new ArrayList<>();

  /** The components before it are written. */
  private int current;

  /** The directory that it is at work in; null while it is in none. */
  private @Nullable TableStore at;

  private boolean prepared;

  /** From the call that installs on, until it is known to have done nothing. */
  private boolean installing;

  private boolean ended;
  private long doneBytes;
  private long inputBytes;
  private volatile long remainingInputBytes;

  /** Of memory and of tables: a step ends by both, however much of memory is in no table. */
  private long movedBytes;

  private long writtenBytes;

  /**
   * @param forceBytes written bytes after which a force is due
   * @param install puts the tables of all components in place, durably and in one step
   * @param release gives the buffers back
   */
  FlushWrite(Opener opener, long forceBytes, Runnable install, Runnable release) {
    this.opener = opener;
    this.forceBytes = forceBytes;
    this.install = install;
    this.release = release;
  }

  /** A component on its way. */
  private static final class Work {
    private final FlushPart part;
    private ComponentWrite.@Nullable Opened opened;
    private List<LiveTable> tables = List.of();
    private boolean given;

    Work(FlushPart part) {
      this.part = part;
    }

    long movedBytes() {
      ComponentWrite.Opened o = opened;
      return o == null ? 0 : o.stream().consumedBytes() + o.output().sizeBytes();
    }

    long writtenBytes() {
      ComponentWrite.Opened o = opened;
      return o == null ? 0 : o.output().sizeBytes();
    }

    long unforcedBytes() {
      ComponentWrite.Opened o = opened;
      return o == null ? 0 : o.output().unforcedBytes();
    }

    void force() {
      ComponentWrite.Opened o = opened;
      if (o != null) {
        o.output().force();
      }
    }

    void addDirectory(Set<TableStore> stores) {
      ComponentWrite.Opened o = opened;
      if (o != null && !o.output().isEmpty()) {
        stores.add(part.store());
      }
    }

    void openTables() {
      ComponentWrite.Opened o = opened;
      if (o != null) {
        tables = o.output().open();
        part.written(tables);
      }
    }

    void closeTables() {
      tables.forEach(part.store()::closeQuietly);
      tables = List.of();
    }

    /** Removes what was written. */
    void dispose() {
      ComponentWrite.Opened o = opened;
      if (o != null) {
        o.stream().close();
        closeTables();
        o.output().abandon();
      }
    }

    /** The tree has the tables, or its component as it was. */
    void giveBack() {
      if (!given) {
        given = true;
        if (!part.isInstalled()) {
          part.aborted();
        }
      }
    }
  }

  /** Adds a component, before the first step. */
  public void add(FlushPart part) {
    works.add(new Work(part));
    inputBytes += part.usedBytes();
    remainingInputBytes = inputBytes;
  }

  @Override
  public IoClass ioClass() {
    return IoClass.FLUSH;
  }

  @Override
  public int treeId() {
    return works.size() == 1 ? works.get(0).part.treeId() : WorkListener.ALL_TREES;
  }

  @Override
  public boolean isOf(int treeId) {
    return works.stream().anyMatch(work -> work.part.treeId() == treeId);
  }

  @Override
  public int directory() {
    TableStore store = at;
    return store == null ? NO_DIRECTORY : store.number();
  }

  /**
   * A full directory keeps back all trees that are in it, and another fault of a directory those of
   * them that are flushed here. What is a fault of no directory is one of all.
   */
  @Override
  public boolean keepsBack(int treeId, int directory, StorageException fault) {
    return (directory() == NO_DIRECTORY || directory() == directory)
        && (fault instanceof DiskFullException || isOf(treeId));
  }

  @Override
  public long remainingInputBytes() {
    return remainingInputBytes;
  }

  /** Those of tables: what is read is in memory. */
  @Override
  public long transferredBytes() {
    return writtenBytes;
  }

  @Override
  public StepResult step(long quantumBytes) {
    if (!prepared) {
      works.forEach(work -> work.part.prepare());
      prepared = true;
    }
    long target = movedBytes + quantumBytes;
    while (current < works.size() && movedBytes < target) {
      Work work = works.get(current);
      at = work.part.store();
      if (work.part.isDropped()) {
        skip(work);
      } else if (!advance(work, target)) {
        current++;
        doneBytes += work.part.usedBytes();
        remainingInputBytes = Math.max(0, inputBytes - doneBytes);
      }
    }
    if (current < works.size()) {
      return unforcedBytes() >= forceBytes ? StepResult.NEEDS_FORCE : StepResult.MORE;
    }
    install();
    return StepResult.DONE;
  }

  /** Goes on without a component, whose tree was dropped. */
  private void skip(Work work) {
    works.remove(work);
    inputBytes -= work.part.usedBytes();
    try {
      work.dispose();
    } finally {
      work.giveBack();
    }
  }

  /** Writes entries of a component; false if there are no more. */
  private boolean advance(Work work, long target) {
    ComponentWrite.Opened o = work.opened;
    if (o == null) {
      o = opener.open(work.part);
      work.opened = o;
    }
    long movedBefore = movedBytes - work.movedBytes();
    long writtenBefore = writtenBytes - work.writtenBytes();
    boolean more = true;
    while (more && movedBytes < target) {
      more = ComponentWrite.advance(o);
      movedBytes = movedBefore + work.movedBytes();
    }
    long consumed = Math.min(o.stream().consumedBytes(), work.part.usedBytes());
    remainingInputBytes = Math.max(0, inputBytes - doneBytes - consumed);
    work.part.advanced(consumed);
    if (!more) {
      o.stream().close();
      o.output().complete();
      movedBytes = movedBefore + work.movedBytes();
    }
    writtenBytes = writtenBefore + work.writtenBytes();
    return more;
  }

  private long unforcedBytes() {
    long sum = 0;
    for (Work work : works) {
      sum += work.unforcedBytes();
    }
    return sum;
  }

  private void install() {
    force();
    Set<TableStore> stores = new LinkedHashSet<>();
    works.forEach(work -> work.addDirectory(stores));
    for (TableStore store : stores) {
      at = store;
      store.forceDirectory();
    }
    for (Work work : works) {
      at = work.part.store();
      work.openTables();
    }
    at = null;
    installing = true;
    try {
      install.run();
    } catch (FencedException e) {
      // The trees do not show the tables, whatever the manifest says.
      works.forEach(Work::closeTables);
      throw e;
    } catch (StorageException e) {
      installing = false;
      throw e;
    }
    installing = false;
    end();
  }

  @Override
  public void force() {
    for (Work work : works) {
      at = work.part.store();
      work.force();
    }
  }

  @Override
  public void abort() {
    if (!ended) {
      end();
    }
  }

  /** Removes what is in no tree, and gives everything back. */
  private void end() {
    ended = true;
    try {
      // If it is not known whether the manifest names the files, the next open will know, and
      // delete them if it does not.
      if (!installing) {
        works.stream().filter(work -> !work.part.isInstalled()).forEach(Work::dispose);
      }
    } finally {
      release.run();
      works.forEach(Work::giveBack);
    }
  }
}
