package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.memory.RangeBounds;
import org.loam.lsm.read.EntryCursor;

/**
 * Memory components of a tree that have no key in common, one behind the other in the order of
 * their keys, so that a scan reads them as one. Immutable.
 */
final class MemoryChain {
  private final List<MemoryRun> runs;

  /** They lead from a key to the one component that may have it. */
  private final RangeBounds lows;

  private MemoryChain(List<MemoryRun> runs) {
    this.runs = List.copyOf(runs);
    this.lows = MemoryLevels.lowsOf(runs.stream().map(MemoryRun::keys).toList());
  }

  /**
   * Chains of runs, newest first.
   *
   * @param newestFirst those without a key in common, where there are several, in the order of keys
   */
  static List<MemoryChain> of(List<MemoryRun> newestFirst) {
    List<MemoryChain> chains = new ArrayList<>();
    List<MemoryRun> chain = new ArrayList<>();
    for (MemoryRun run : newestFirst) {
      if (!chain.isEmpty() && !chain.get(chain.size() - 1).keys().isBelow(run.keys())) {
        chains.add(new MemoryChain(chain));
        chain.clear();
      }
      chain.add(run);
    }
    chains.add(new MemoryChain(chain));
    return List.copyOf(chains);
  }

  /** Whether nothing was ever written to its components. */
  boolean isEmpty() {
    return runs.stream().map(MemoryRun::component).allMatch(MemoryComponent::isEmpty);
  }

  /** Keys with at least one version, about. */
  long keyCount() {
    return sum(MemoryComponent::keyCount);
  }

  /** A count of all its components together. */
  long sum(ToLongFunction<MemoryComponent> count) {
    return runs.stream().map(MemoryRun::component).mapToLong(count).sum();
  }

  /** A read cursor over the components, to be used as {@link MemoryComponent#cursor}. */
  EntryCursor cursor(long readLsn) {
    return runs.size() == 1 ? runs.get(0).cursor(readLsn) : new Cursor(readLsn);
  }

  private final class Cursor implements EntryCursor {
    private final long readLsn;
    private int index;
    private @Nullable EntryCursor at;

    Cursor(long readLsn) {
      this.readLsn = readLsn;
    }

    private EntryCursor open(int i) {
      close();
      index = i;
      EntryCursor opened = runs.get(i).cursor(readLsn);
      at = opened;
      return opened;
    }

    private EntryCursor entry() {
      EntryCursor now = at;
      if (now == null) {
        throw new AssertionError("a cursor that is at no entry");
      }
      return now;
    }

    @Override
    public boolean first() {
      return firstFrom(0);
    }

    private boolean firstFrom(int from) {
      for (int i = from; i < runs.size(); i++) {
        if (open(i).first()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean last() {
      return lastUpTo(runs.size() - 1);
    }

    private boolean lastUpTo(int from) {
      for (int i = from; i >= 0; i--) {
        if (open(i).last()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean ceiling(long key, int keyLength) {
      int at = lows.rangeOf(key, keyLength);
      return open(at).ceiling(key, keyLength) || firstFrom(at + 1);
    }

    @Override
    public boolean lower(long key, int keyLength) {
      int at = lows.rangeOf(key, keyLength);
      return open(at).lower(key, keyLength) || lastUpTo(at - 1);
    }

    @Override
    public boolean next() {
      return entry().next() || firstFrom(index + 1);
    }

    @Override
    public boolean previous() {
      return entry().previous() || lastUpTo(index - 1);
    }

    @Override
    public long keyAddress() {
      return entry().keyAddress();
    }

    @Override
    public int keyLength() {
      return entry().keyLength();
    }

    @Override
    public long lsn() {
      return entry().lsn();
    }

    @Override
    public byte kind() {
      return entry().kind();
    }

    @Override
    public int valueLength() {
      return entry().valueLength();
    }

    @Override
    public void copyValue(int from, int length, long target) {
      entry().copyValue(from, length, target);
    }

    @Override
    public long valueAddress() {
      return entry().valueAddress();
    }

    @Override
    public boolean isWarm() {
      return entry().isWarm();
    }

    @Override
    public void close() {
      EntryCursor now = at;
      if (now != null) {
        now.close();
        at = null;
      }
    }
  }
}
