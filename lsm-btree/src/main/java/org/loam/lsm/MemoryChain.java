package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.RangeBounds;
import org.loam.lsm.read.EntryCursor;

/**
 * Memory components of a tree that have no key in common, one behind the other in the order of
 * their keys, so that a scan reads them as one. Immutable.
 */
final class MemoryChain {
  private final RangeBounds bounds;
  private final List<MemoryComponent> components = new ArrayList<>();

  /** Of each component the first and the last of the ranges where its keys may be. */
  private final List<Integer> firstRanges = new ArrayList<>();

  private final List<Integer> lastRanges = new ArrayList<>();

  private MemoryChain(RangeBounds bounds) {
    this.bounds = bounds;
  }

  /** The chains of a tree that may have entries, newest first. */
  static List<MemoryChain> of(TreeVersion version) {
    List<MemoryChain> chains = new ArrayList<>();
    MemoryRanges memory = version.memory;
    MemoryChain active = new MemoryChain(memory.bounds());
    for (int i = 0; i < memory.count(); i++) {
      active.add(memory.range(i).active(), i);
    }
    active.addTo(chains);
    for (int i = 0; i < version.frozen.length; i++) {
      long endLsn = version.frozen[i].endLsn();
      if (i == 0 || endLsn != version.frozen[i - 1].endLsn()) {
        frozenAt(endLsn, memory).addTo(chains);
      }
    }
    return chains;
  }

  /** What was frozen at one end of the log, which has no key in common. */
  private static MemoryChain frozenAt(long endLsn, MemoryRanges memory) {
    MemoryChain chain = new MemoryChain(memory.bounds());
    for (int i = 0; i < memory.count(); i++) {
      for (Frozen one : memory.range(i).frozen()) {
        if (one.endLsn() == endLsn) {
          chain.add(one.component(), i);
        }
      }
    }
    return chain;
  }

  private void addTo(List<MemoryChain> chains) {
    if (!components.isEmpty()) {
      chains.add(this);
    }
  }

  private void add(MemoryComponent component, int range) {
    int known = components.indexOf(component);
    if (known >= 0) {
      lastRanges.set(known, range);
    } else if (!component.isEmpty()) {
      components.add(component);
      firstRanges.add(range);
      lastRanges.add(range);
    }
  }

  /** Keys with at least one version, about. */
  long keyCount() {
    return components.stream().mapToLong(MemoryComponent::keyCount).sum();
  }

  /** A read cursor over the components, to be used as {@link MemoryComponent#cursor}. */
  EntryCursor cursor(long readLsn) {
    return components.size() == 1 ? components.get(0).cursor(readLsn) : new Cursor(readLsn);
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
      EntryCursor opened = components.get(i).cursor(readLsn);
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
      for (int i = from; i < components.size(); i++) {
        if (open(i).first()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean last() {
      return lastUpTo(components.size() - 1);
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
      int range = bounds.rangeOf(key, keyLength);
      for (int i = 0; i < components.size(); i++) {
        if (lastRanges.get(i) >= range && open(i).ceiling(key, keyLength)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean lower(long key, int keyLength) {
      int range = bounds.rangeOf(key, keyLength);
      for (int i = components.size() - 1; i >= 0; i--) {
        if (firstRanges.get(i) <= range && open(i).lower(key, keyLength)) {
          return true;
        }
      }
      return false;
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
