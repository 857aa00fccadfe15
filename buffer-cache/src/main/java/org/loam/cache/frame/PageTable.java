package org.loam.cache.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;

/**
 * Finds the frame of a page: off-heap hash tables with linear probing, one for each of 16 shards,
 * at most half full. Thread-safe.
 *
 * <p>A slot is 8 bytes, {@code hash bits << 32 | frame + 1}, or 0 if empty, so it is read and
 * written whole. It only hints: {@link FrameWords#pin} has the last word on what a frame holds.
 * Lookups therefore need neither lock nor sequence number. What they can get wrong is to miss a
 * page while its slot moves; {@link #pinLocked} cannot.
 *
 * <p>The number of frames bounds that of all slots, but not of those in one shard: a shard that is
 * at its limit refuses, and the caller does without a slot. The limit is 8 standard deviations
 * above the mean, so this is a matter of safety, not of speed.
 */
final class PageTable {
  static final int NONE = -1;

  private static final int SHARD_BITS = 4;
  private static final int SHARDS = 1 << SHARD_BITS;
  private static final int SLOT_BYTES = 8;

  private final FrameWords words;
  private final long slotsPerShard;
  private final long shardBytes;
  private final long base;
  private final Shard[] shards = new Shard[SHARDS];

  /**
   * @param base address of {@link #bytes} bytes, a multiple of 64
   */
  PageTable(FrameWords words, long base, int frameCount) {
    this.words = words;
    this.base = base;
    this.slotsPerShard = 2L * shardLimit(frameCount);
    this.shardBytes = slotsPerShard * SLOT_BYTES;
    Mem.fill(base, bytes(frameCount), (byte) 0);
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new Shard(base + i * shardBytes);
    }
  }

  static long bytes(int frameCount) {
    return 2L * shardLimit(frameCount) * SLOT_BYTES * SHARDS;
  }

  /**
   * Mean and 8 standard deviations of a shard's share, rounded up to whole cache lines of slots.
   */
  private static int shardLimit(int frameCount) {
    double mean = (double) frameCount / SHARDS;
    int likely = (int) Math.ceil(mean + 8 * Math.sqrt(mean) + 16);
    return (Math.min(frameCount, likely) + 3) & -4;
  }

  /** A page of a file, as one number; positive for a file id that is. */
  static long pageId(int fileId, int pageNo) {
    return (long) fileId << 32 | pageNo;
  }

  /**
   * Spreads page ids. The high 4 bits choose the shard, the low 32 the slot, so both must depend on
   * all of the id: page numbers count up, and so do file ids.
   */
  static long hash(long pageId) {
    long h = pageId * 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 32)) * 0xD6E8FEB86659FD93L;
    return h ^ (h >>> 32);
  }

  /** Pins the frame of a page: its index, or {@link #NONE} if the page was not seen. */
  int pin(long hash, long pageId, ReadIntent intent) {
    long begin = begin(hash);
    long end = begin + shardBytes;
    int tag = (int) hash;
    long slot = home(begin, tag);
    for (long probes = slotsPerShard; probes > 0; probes--) {
      long entry = Mem.getLongVolatile(slot);
      if (entry == 0) {
        return NONE;
      }
      if ((int) (entry >>> 32) == tag && words.pin(frame(entry), pageId, intent)) {
        return frame(entry);
      }
      slot += SLOT_BYTES;
      if (slot == end) {
        slot = begin;
      }
    }
    return NONE;
  }

  /** Like {@link #pin}, and {@link #NONE} means that the page is not there. */
  int pinLocked(long hash, long pageId, ReadIntent intent) {
    synchronized (shard(hash)) {
      return pin(hash, pageId, intent);
    }
  }

  /** Whether a page is there. */
  boolean isListed(long hash, long pageId) {
    return shard(hash).find((int) hash, pageId) != NONE;
  }

  /** Whether a page is there and was used more than once of late. */
  boolean isWarm(long hash, long pageId) {
    int frame = shard(hash).find((int) hash, pageId);
    return frame != NONE && words.isWarm(frame);
  }

  /**
   * Shows the page in a held frame to others; keeps the pin. The slot comes first: a listed frame
   * could be pinned by a reader that has seen an older slot of the page, and such a frame cannot be
   * doomed any more without that reader.
   *
   * @return false if the shard is full; the page is the caller's alone then, until it unpins it
   */
  boolean list(long hash, int frame, long pageId, FrameWords.Use use) {
    if (!shard(hash).insert((int) hash, entry(hash, frame))) {
      words.doom(frame, pageId);
      return false;
    }
    words.list(frame, pageId, use);
    return true;
  }

  /** Removes the slot of a frame, which must be there. */
  void remove(long hash, int frame) {
    if (!shard(hash).remove((int) hash, entry(hash, frame))) {
      throw new AssertionError("not in the page table: " + words.describe(frame));
    }
  }

  /** Drops a page: its frame, now the caller's, or {@link #NONE} if absent or still pinned. */
  int drop(long hash, long pageId) {
    return shard(hash).drop((int) hash, pageId);
  }

  private Shard shard(long hash) {
    return shards[(int) (hash >>> (Long.SIZE - SHARD_BITS))];
  }

  private long begin(long hash) {
    return base + (hash >>> (Long.SIZE - SHARD_BITS)) * shardBytes;
  }

  /** Scales 32 hash bits to the slots of a shard: no power of two needed, no division. */
  private long home(long begin, int tag) {
    return begin + (((tag & 0xffffffffL) * slotsPerShard) >>> 32) * SLOT_BYTES;
  }

  private static long entry(long hash, int frame) {
    return hash << 32 | (frame + 1);
  }

  private static int frame(long entry) {
    return (int) entry - 1;
  }

  /** One of the tables; its monitor guards its slots against other writers. */
  private final class Shard {
    private final long begin;
    private final long end;

    @GuardedBy("this")
    private long used;

    private Shard(long begin) {
      this.begin = begin;
      this.end = begin + shardBytes;
    }

    synchronized boolean insert(int tag, long entry) {
      if (used == slotsPerShard / 2) {
        return false;
      }
      long slot = home(begin, tag);
      while (Mem.getLong(slot) != 0) {
        slot = after(slot);
      }
      Mem.putLongVolatile(slot, entry);
      used++;
      return true;
    }

    /** The frame of a page, which may lose it at any time; {@link #NONE} if absent. */
    synchronized int find(int tag, long pageId) {
      long slot = home(begin, tag);
      for (long entry; (entry = Mem.getLong(slot)) != 0; slot = after(slot)) {
        if ((int) (entry >>> 32) == tag && words.pageId(frame(entry)) == pageId) {
          return frame(entry);
        }
      }
      return NONE;
    }

    synchronized int drop(int tag, long pageId) {
      long slot = home(begin, tag);
      for (long entry; (entry = Mem.getLong(slot)) != 0; slot = after(slot)) {
        if ((int) (entry >>> 32) == tag) {
          FrameWords.Dropped dropped = words.drop(frame(entry), pageId);
          if (dropped != FrameWords.Dropped.ABSENT) {
            empty(slot);
            return dropped == FrameWords.Dropped.TAKEN ? frame(entry) : NONE;
          }
        }
      }
      return NONE;
    }

    synchronized boolean remove(int tag, long entry) {
      long slot = home(begin, tag);
      for (long found; (found = Mem.getLong(slot)) != entry; slot = after(slot)) {
        if (found == 0) {
          return false;
        }
      }
      empty(slot);
      return true;
    }

    /** Empties a slot; later entries move up, where their home allows it, up to an empty slot. */
    @GuardedBy("this")
    private void empty(long removed) {
      long hole = removed;
      long slot = after(hole);
      for (long entry; (entry = Mem.getLong(slot)) != 0; slot = after(slot)) {
        if (distance(home(begin, (int) (entry >>> 32)), slot) >= distance(hole, slot)) {
          Mem.putLongVolatile(hole, entry);
          hole = slot;
        }
      }
      Mem.putLongVolatile(hole, 0);
      used--;
    }

    private long after(long slot) {
      return slot + SLOT_BYTES == end ? begin : slot + SLOT_BYTES;
    }

    private long distance(long from, long to) {
      return to >= from ? to - from : to - from + shardBytes;
    }
  }
}
