package org.loam.common.mem;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * The ranges of memory that exist: those that {@link Mem} allocated, and those of other owners that
 * were registered. Knows how to free aligned memory, catches double frees, counts live bytes, and
 * serves the checked mode. Thread-safe; the lock guards a few instructions.
 */
final class MemRanges {
  /** Poison has this granularity, a cache line: 1 GiB needs 2 MiB of bits. */
  static final int POISON_SHIFT = 6;

  /** The size of a transparent huge page. */
  private static final int HUGE_PAGE_BYTES = 2 << 20;

  /** From this size on, memory is aligned so that huge pages can serve it. */
  private static final long HUGE_FROM_BYTES = 4 << 20;

  /** How many freed ranges are remembered, to say what a dangling address once was. */
  private static final int REMEMBERED = 256;

  private static final Object LOCK = new Object();

  @GuardedBy("LOCK")
  private static final TreeMap<Long, Range> RANGES = new TreeMap<>();

  @GuardedBy("LOCK")
  private static final ArrayDeque<Range> FREED = new ArrayDeque<>();

  @GuardedBy("LOCK")
  private static long liveBytes;

  /** The ranges by ascending start, replaced on every change; kept in the checked mode only. */
  private static volatile Range[] sorted = {};

  /** Where the last accesses went, by address; the next often go there too. */
  private static final @Nullable Range[] RECENT = new Range[4096];

  /** Addresses this far apart may remember different ranges. */
  private static final int RECENT_SHIFT = 16;

  private MemRanges() {}

  /** A range; {@code raw} is the address to free, 0 if the memory has another owner. */
  private static final class Range {
    final long start;
    final long bytes;
    final long end;
    final long firstBlock;
    final long raw;
    final String what;
    final long threadId = Thread.currentThread().getId();

    /** A bit for each block; written under the range's lock. */
    final long[] poison;

    /** Set when the range is freed: {@link #RECENT} may still refer to it. */
    volatile boolean removed;

    Range(long start, long bytes, long raw, String what) {
      this.start = start;
      this.bytes = bytes;
      this.end = start + bytes;
      this.firstBlock = start >>> POISON_SHIFT;
      this.raw = raw;
      this.what = what;
      long blocks = ((start + bytes - 1) >>> POISON_SHIFT) - (start >>> POISON_SHIFT) + 1;
      this.poison = new long[Mem.CHECKED ? (int) ((blocks + 63) >>> 6) : 0];
    }

    boolean contains(long address) {
      return address >= start && address < end;
    }

    @Override
    public String toString() {
      return what + " of " + bytes + " bytes at 0x" + Long.toHexString(start);
    }
  }

  static long allocate(Unsafe unsafe, long bytes, int alignment, String what) {
    if (bytes <= 0 || bytes > 1L << 46) {
      throw new IllegalArgumentException(what + ": " + bytes + " bytes, must be in 1..2^46");
    }
    if (alignment <= 0 || Integer.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          what + ": alignment " + alignment + " must be a power of two");
    }
    int align = bytes >= HUGE_FROM_BYTES ? Math.max(alignment, HUGE_PAGE_BYTES) : alignment;
    long raw = unsafe.allocateMemory(bytes + align);
    long start = (raw + align - 1) & -align;
    add(new Range(start, bytes, raw, what));
    return start;
  }

  static void free(Unsafe unsafe, long address) {
    unsafe.freeMemory(remove(address, true).raw);
  }

  static long freeAllocatedBy(Unsafe unsafe, long threadId) {
    List<Range> left = allocatedBy(threadId);
    left.forEach(range -> free(unsafe, range.start));
    return bytesOf(left);
  }

  static long liveBytesOf(long threadId) {
    return bytesOf(allocatedBy(threadId));
  }

  private static List<Range> allocatedBy(long threadId) {
    synchronized (LOCK) {
      return RANGES.values().stream()
          .filter(range -> range.raw != 0 && range.threadId == threadId)
          .toList();
    }
  }

  private static long bytesOf(List<Range> ranges) {
    return ranges.stream().mapToLong(range -> range.bytes).sum();
  }

  static void register(long address, long bytes, String what) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(what + ": " + bytes + " bytes, must be at least 1");
    }
    add(new Range(address, bytes, 0, what));
  }

  static void unregister(long address) {
    remove(address, false);
  }

  static long liveBytes() {
    synchronized (LOCK) {
      return liveBytes;
    }
  }

  /** One line per live allocation, by address. */
  static String describeLive() {
    StringBuilder text = new StringBuilder();
    synchronized (LOCK) {
      for (Range range : RANGES.values()) {
        if (range.raw != 0) {
          text.append(range).append('\n');
        }
      }
    }
    return text.toString();
  }

  /** Fails unless all the bytes, one at least, lie in one range, which is returned. */
  static Range checkLive(long address, long bytes) {
    int slot = (int) (address >>> RECENT_SHIFT) & (RECENT.length - 1);
    Range range = RECENT[slot];
    if (range == null || range.removed || address < range.start || bytes > range.end - address) {
      range = find(address);
      RECENT[slot] = range;
      if (range == null || bytes > range.end - address) {
        throw outside(address, bytes, range);
      }
    }
    return range;
  }

  /** Fails unless all the bytes lie in one range and none is poisoned. */
  static void check(long address, long bytes) {
    if (bytes <= 0) {
      if (bytes == 0) {
        return;
      }
      throw outside(address, bytes, find(address));
    }
    Range range = checkLive(address, bytes);
    // Most accesses are to a single block.
    long from = (address >>> POISON_SHIFT) - range.firstBlock;
    long to = lastBlock(address + bytes) - range.firstBlock;
    boolean poisoned =
        from == to
            ? (range.poison[(int) (from >>> 6)] >>> from & 1) != 0
            : anyPoisoned(range.poison, from, to);
    if (poisoned) {
      throw new AssertionError(
          "access to poisoned memory (freed or reclaimed): "
              + access(address, bytes)
              + ", offset "
              + (address - range.start)
              + " in "
              + range);
    }
  }

  /** Poisons the whole blocks inside the bytes. */
  static void poison(long address, long bytes) {
    Range range = enclosing(address, bytes);
    long end = address + bytes;
    long from = (address + (1 << POISON_SHIFT) - 1) >>> POISON_SHIFT;
    // The last block of a range counts as whole though the range may end within it.
    long to = end == range.end ? lastBlock(end) + 1 : end >>> POISON_SHIFT;
    setPoison(range, address == range.start ? address >>> POISON_SHIFT : from, to, true);
  }

  /** Clears every block that the bytes touch. */
  static void unpoison(long address, long bytes) {
    Range range = enclosing(address, bytes);
    setPoison(range, address >>> POISON_SHIFT, lastBlock(address + bytes) + 1, false);
  }

  private static void add(Range range) {
    synchronized (LOCK) {
      var below = RANGES.floorEntry(range.end - 1);
      if (below != null && below.getValue().end > range.start) {
        throw new AssertionError(range + " overlaps " + below.getValue());
      }
      RANGES.put(range.start, range);
      liveBytes += range.raw == 0 ? 0 : range.bytes;
      if (Mem.CHECKED) {
        Range[] old = sorted;
        int at = indexBelow(old, range.start) + 1;
        Range[] next = Arrays.copyOf(old, old.length + 1);
        next[at] = range;
        System.arraycopy(old, at, next, at + 1, old.length - at);
        sorted = next;
      }
    }
  }

  private static Range remove(long address, boolean allocated) {
    synchronized (LOCK) {
      Range range = RANGES.get(address);
      if (range == null || (range.raw != 0) != allocated) {
        throw new AssertionError(
            (allocated ? "free" : "unregister")
                + " of 0x"
                + Long.toHexString(address)
                + ", which is no live range"
                + history(address, range));
      }
      RANGES.remove(address);
      range.removed = true;
      liveBytes -= range.raw == 0 ? 0 : range.bytes;
      FREED.addFirst(range);
      if (FREED.size() > REMEMBERED) {
        FREED.removeLast();
      }
      if (Mem.CHECKED) {
        Range[] old = sorted;
        int at = indexBelow(old, address);
        Range[] next = Arrays.copyOf(old, old.length - 1);
        System.arraycopy(old, at + 1, next, at, old.length - at - 1);
        sorted = next;
      }
      return range;
    }
  }

  /** The last range that starts at or below an address; null if none does. */
  private static @Nullable Range find(long address) {
    Range[] ranges = sorted;
    int i = indexBelow(ranges, address);
    return i < 0 ? null : ranges[i];
  }

  private static int indexBelow(Range[] ranges, long address) {
    int low = 0;
    int high = ranges.length;
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (ranges[mid].start <= address) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low - 1;
  }

  private static Range enclosing(long address, long bytes) {
    Range range = find(address);
    if (bytes <= 0 || range == null || bytes > range.end - address) {
      throw outside(address, bytes, range);
    }
    return range;
  }

  private static AssertionError outside(long address, long bytes, @Nullable Range below) {
    synchronized (LOCK) {
      return new AssertionError(
          "access outside of live memory: " + access(address, bytes) + history(address, below));
    }
  }

  @GuardedBy("LOCK")
  private static String history(long address, @Nullable Range below) {
    // Memory that is in use again is no longer what it was before.
    boolean live = below != null && below.contains(address);
    for (Range freed : FREED) {
      if (!live && freed.contains(address)) {
        return "; offset " + (address - freed.start) + " in the freed " + freed;
      }
    }
    if (below == null) {
      return "";
    }
    return "; " + (address - below.start) + " bytes after the start of " + below;
  }

  private static String access(long address, long bytes) {
    return bytes + " bytes at 0x" + Long.toHexString(address);
  }

  private static long lastBlock(long end) {
    return (end - 1) >>> POISON_SHIFT;
  }

  private static boolean anyPoisoned(long[] words, long fromBlock, long toBlock) {
    for (long block = fromBlock; block <= toBlock; block++) {
      long word = words[(int) (block >>> 6)] >>> block;
      if ((word & 1) != 0) {
        return true;
      }
      if (word == 0) {
        block |= 63;
      }
    }
    return false;
  }

  private static void setPoison(Range range, long fromBlock, long toBlock, boolean on) {
    long first = range.start >>> POISON_SHIFT;
    long to = toBlock - first;
    synchronized (range) {
      long block = fromBlock - first;
      while (block < to) {
        int word = (int) (block >>> 6);
        long next;
        if ((block & 63) == 0 && to - block >= 64) {
          next = to & -64;
          Arrays.fill(range.poison, word, (int) (next >>> 6), on ? -1 : 0);
        } else {
          next = Math.min(to, (block | 63) + 1);
          long bits = (-1L >>> (64 - (next - block))) << block;
          range.poison[word] = on ? range.poison[word] | bits : range.poison[word] & ~bits;
        }
        block = next;
      }
    }
  }
}
