package org.loam.lsm.merge;

import org.loam.common.key.EntryKind;
import org.loam.lsm.memory.VersionRetention;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.EntryWalk;
import org.loam.lsm.read.MergingCursor;

/**
 * What remains of the inputs of a merge: of each key the newest entry, and those older ones that a
 * live read LSN needs. Anti-matter goes when nothing older can lie below.
 *
 * @param <W> what the inputs are: walks that show every version
 */
final class MergeStream<W extends Entry & EntryWalk> implements EntryStream {
  /**
   * Input that is dropped between two looks at the quantum: a quarter of the smallest quantum, so
   * that a step goes little beyond it, and some hundred entries, so that the look costs nothing.
   */
  private static final int DROPPED_BYTES_PER_LOOK = 16 << 10;

  private final MergingCursor<W> inputs;
  private final VersionRetention retention;
  private final boolean keepLsns;
  private final boolean dropAntiMatter;
  private final LastKey lastKey = new LastKey();
  private boolean started;
  private boolean newKey;
  private boolean keyWritten;
  private long keptLsn;
  private long consumedBytes;

  /** Of what was consumed, since the last look at the quantum. */
  private long droppedBytes;

  /**
   * @param keepLsns whether a read LSN lies among the LSNs of the inputs; otherwise no older
   *     version is needed
   * @param dropAntiMatter whether nothing older overlaps the inputs
   */
  MergeStream(
      MergingCursor<W> inputs,
      VersionRetention retention,
      boolean keepLsns,
      boolean dropAntiMatter) {
    this.inputs = inputs;
    this.retention = retention;
    this.keepLsns = keepLsns;
    this.dropAntiMatter = dropAntiMatter && !keepLsns;
  }

  @Override
  public Next next() {
    boolean found = started ? inputs.advance() : inputs.begin();
    started = true;
    while (found) {
      Entry entry = inputs.current();
      long bytes = LastKey.sizeBytes(entry);
      consumedBytes += bytes;
      if (isKept(entry)) {
        return Next.ENTRY;
      }
      droppedBytes += bytes;
      if (droppedBytes >= DROPPED_BYTES_PER_LOOK) {
        droppedBytes = 0;
        return Next.NOTHING_YET;
      }
      found = inputs.advance();
    }
    return Next.END;
  }

  private boolean isKept(Entry entry) {
    boolean first = lastKey.update(entry);
    if (first) {
      keyWritten = false;
    }
    boolean kept =
        first
            ? !dropAntiMatter || entry.kind() != EntryKind.ANTI_MATTER
            : keepLsns && retention.needs(entry.lsn(), keptLsn);
    if (kept) {
      keptLsn = entry.lsn();
      newKey = !keyWritten;
      keyWritten = true;
    }
    return kept;
  }

  @Override
  public Entry entry() {
    return inputs.current();
  }

  @Override
  public boolean isNewKey() {
    return newKey;
  }

  @Override
  public long consumedBytes() {
    return consumedBytes;
  }

  @Override
  public void close() {
    inputs.close();
  }
}
