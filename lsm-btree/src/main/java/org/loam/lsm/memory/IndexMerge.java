package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.loam.lsm.read.MergingCursor;

/**
 * Makes one component of several that take no more writes, without a copy of their records: an
 * index over the newest version of each key, whose nodes are full. The component borrows the
 * records until it {@linkplain #takeOver takes them over}.
 *
 * <p>The older versions of a key in one component stay linked. If a registered read LSN is below
 * the newest version, those in the next older component are linked behind them. Readers of the
 * inputs find these in both components, and the same ones as before. So the links can be made while
 * they read; but from then on the inputs must leave memory together.
 *
 * <p>One thread at a time, inside a memory epoch from {@link #build} to {@link #finish}, which may
 * be left and entered again between two entries while the inputs stay in memory.
 */
public final class IndexMerge {
  private static final VersionRetention NEWEST = (olderLsn, newerLsn) -> false;

  private final List<MemoryRun> inputs;
  private final MemoryComponent made;
  private final VersionRetention retention;
  private final List<Link> links = new ArrayList<>();

  /** The newest version of the key that is met, and that in the component that was met last. */
  private long newest;

  private long last;

  private long indexBytes;

  /**
   * @param older the newest version in an older component
   */
  private record Link(long newer, long older) {}

  /**
   * A merge that is to be built.
   *
   * @param newestFirst the inputs
   * @param made an empty component that nothing else knows
   * @param retention what readers need of the inputs, all of which is published
   */
  public IndexMerge(List<MemoryRun> newestFirst, MemoryComponent made, VersionRetention retention) {
    this.inputs = List.copyOf(newestFirst);
    this.made = made;
    this.retention = retention;
  }

  /**
   * Makes the index. Changes nothing that readers see.
   *
   * @param goesOn asked after each entry: false ends it
   * @return false if there is no memory for it, or if it was ended
   */
  public boolean build(BooleanSupplier goesOn) {
    VersionWalk[] walks =
        inputs.stream()
            .map(run -> new VersionWalk(List.of(run), null, NEWEST))
            .toArray(VersionWalk[]::new);
    try (MergingCursor<VersionWalk> all = new MergingCursor<>(walks, true)) {
      for (boolean more = all.begin(); more; more = all.advance()) {
        long record = all.current().record();
        if (newest != 0 && MemoryRecord.hasKeyOf(newest, record)) {
          addOlder(record);
        } else if (!add(record)) {
          return false;
        }
        if (!goesOn.getAsBoolean()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean add(long record) {
    if (!made.reserve(1)) {
      return false;
    }
    made.index(record);
    newest = record;
    last = record;
    if (isOlderNeeded()) {
      made.noteOldest(VersionChain.end(record));
    }
    return true;
  }

  /** Whether a reader may need a version below the newest one of the key. */
  private boolean isOlderNeeded() {
    return retention.needs(0, MemoryRecord.lsn(newest));
  }

  private void addOlder(long record) {
    if (isOlderNeeded()) {
      links.add(new Link(last, record));
      last = record;
      made.noteOldest(VersionChain.end(record));
    } else {
      made.addSuperseded(MemoryRecord.sizeBytes(record));
    }
  }

  /** The component, with the records of the inputs. Nothing can fail any more. */
  public MemoryComponent finish() {
    for (Link link : links) {
      VersionChain.append(VersionChain.end(link.newer()), link.older());
    }
    indexBytes = made.usedBytes();
    made.borrow(inputs.stream().map(MemoryRun::component).toList());
    made.freeze();
    return made;
  }

  /** Memory that the index has filled. */
  public long indexBytes() {
    return indexBytes;
  }

  /** The inputs have only their nodes from now on, to be released; no version names them. */
  public void takeOver() {
    inputs.forEach(run -> run.component().giveRecords());
  }

  /** The component has only its nodes, to be released; nothing else knows it. */
  public MemoryComponent abandon() {
    made.giveRecords();
    return made;
  }
}
