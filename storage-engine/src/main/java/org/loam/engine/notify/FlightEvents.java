package org.loam.engine.notify;

import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.FlushCause;
import org.loam.lsm.WorkObserver;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.StallCause;

/**
 * Flushes, merges, bulk loads and stalls as events of the JVM's flight recorder. Each has its
 * beginning and its duration, and is recorded at its end, if a recording was on at its beginning.
 * Thread-safe; without a recording nothing is done.
 */
final class FlightEvents implements WorkObserver {
  private final String directory;

  /**
   * @param directory of the database, which each event names
   */
  FlightEvents(Path directory) {
    this.directory = directory.toString();
  }

  @Override
  public Ending flushBegun(String tree, FlushCause cause, List<MemoryComponent> components) {
    Flush flush = new Flush();
    if (!flush.isEnabled()) {
      return Ending.NONE;
    }
    flush.cause = cause.name();
    flush.memoryBytes = components.stream().mapToLong(MemoryComponent::usedBytes).sum();
    return begin(flush, tree);
  }

  @Override
  public Ending mergeBegun(String tree, MergePlan plan, TreeShape shape, boolean move) {
    Merge merge = new Merge();
    if (!merge.isEnabled()) {
      return Ending.NONE;
    }
    merge.fromLevel = shape.numberOf(plan.fromLevel());
    merge.toLevel = shape.numberOf(plan.targetLevel());
    merge.inputBytes = plan.inputBytes();
    merge.move = move;
    return begin(merge, tree);
  }

  Ending loadBegun(String tree) {
    Load load = new Load();
    return load.isEnabled() ? begin(load, tree) : Ending.NONE;
  }

  private Ending begin(Work work, String tree) {
    work.directory = directory;
    work.tree = tree;
    work.begin();
    return work;
  }

  /** Returns what takes the time of the wait, null if nothing does. */
  @Nullable LongConsumer stallBegun(StallCause cause, @Nullable String tree) {
    Stall stall = new Stall();
    if (!stall.isEnabled()) {
      return null;
    }
    stall.directory = directory;
    stall.tree = tree;
    stall.cause = cause.name();
    stall.begin();
    return nanos -> stall.commit();
  }

  static long bytes(List<LiveTable> tables) {
    return tables.stream().mapToLong(table -> table.component().bytes()).sum();
  }

  // ---- The events; the recorder reads their fields.

  /** Work that writes tables. */
  @Category("Loam")
  @StackTrace(false)
  abstract static class Work extends Event implements Ending {
    @Label("Directory")
    @Description("Directory of the database")
    @Nullable String directory;

    @Label("Tree")
    @Nullable String tree;

    @Label("Installed")
    @Description("Whether the result counts")
    boolean installed;

    @Label("Tables")
    @Description("SSTables of the result")
    int tables;

    @Label("Written Bytes")
    @DataAmount
    long writtenBytes;

    @Override
    public void installed(List<LiveTable> result) {
      installed = true;
      tables = result.size();
      writtenBytes = bytes(result);
      commit();
    }

    @Override
    public void aborted() {
      commit();
    }
  }

  @Name("org.loam.Flush")
  @Label("Flush")
  static final class Flush extends Work {
    @Label("Cause")
    @Nullable String cause;

    @Label("Memory Bytes")
    @DataAmount
    long memoryBytes;
  }

  @Name("org.loam.Merge")
  @Label("Merge")
  static final class Merge extends Work {
    @Label("From Level")
    int fromLevel;

    @Label("To Level")
    int toLevel;

    @Label("Input Bytes")
    @DataAmount
    long inputBytes;

    @Label("Move")
    @Description("Whether one table only changes its level")
    boolean move;
  }

  @Name("org.loam.Load")
  @Label("Bulk Load")
  static final class Load extends Work {}

  @Name("org.loam.Stall")
  @Label("Stall")
  @Description("A writer waits")
  @Category("Loam")
  @StackTrace(false)
  static final class Stall extends Event {
    @Label("Directory")
    @Description("Directory of the database")
    @Nullable String directory;

    @Label("Tree")
    @Description("The tree that makes the writer wait; none if it is the whole engine")
    @Nullable String tree;

    @Label("Cause")
    @Nullable String cause;
  }
}
