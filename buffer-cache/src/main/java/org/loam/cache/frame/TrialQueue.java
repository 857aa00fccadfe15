package org.loam.cache.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.loam.common.mem.Mem;

/**
 * Pages on trial, oldest first. Most pages that are read are not read again soon. If the cache kept
 * them like pages that are, they would push those out. So they get a small part of the cache. The
 * oldest page gives its frame to the next page that comes, unless a reader used it again: then it
 * stays. A page that is missed soon after it left stands no second trial.
 *
 * <p>The queue and the memory of what left are A1in and A1out of 2Q (Johnson and Shasha, VLDB
 * 1994); the clock of {@link FrameSupply} is its third part. Off-heap, thread-safe.
 *
 * <pre>
 *  queue, a ring: 8 bytes each, version of the frame &lt;&lt; 32 | frame
 *  left, a hash table: 4 bytes each, hash bits of the page that left last of those with this place
 * </pre>
 */
final class TrialQueue {
  private static final int NONE = PageTable.NONE;

  /** One page that left is remembered for so many frames: K_out of 2Q. */
  private static final int FRAMES_PER_TAG = 2;

  private static final int ENTRY_BYTES = 8;
  private static final int TAG_BYTES = 4;

  private final FrameWords words;
  private final int fraction;
  private final int capacity;
  private final long queue;
  private final long left;

  @GuardedBy("this")
  private int oldest;

  @GuardedBy("this")
  private int size;

  /**
   * @param base address of {@link #bytes} bytes, a multiple of 8
   * @param fraction one in so many frames is for pages on trial
   */
  TrialQueue(FrameWords words, long base, int frameCount, int fraction) {
    this.words = words;
    this.fraction = fraction;
    this.capacity = limit(frameCount, fraction);
    this.queue = base;
    this.left = base + (long) capacity * ENTRY_BYTES;
    Mem.fill(base, bytes(frameCount, fraction), (byte) 0);
  }

  /** A multiple of 8. */
  static long bytes(int frameCount, int fraction) {
    long tagBytes = (long) remembered(frameCount) * TAG_BYTES;
    return (long) limit(frameCount, fraction) * ENTRY_BYTES + (tagBytes + 7 & -8);
  }

  /**
   * Takes the frame of the oldest page that no reader used again, if there are as many on trial as
   * there may be. Older pages that a reader did use, or has pinned, end their trial and stay in the
   * cache.
   *
   * @param frames size of the cache
   * @return the frame, now the caller's, still in the page table; {@link PageTable#NONE} if none
   */
  synchronized int takeOldest(int frames) {
    while (size >= limit(frames, fraction)) {
      long entry = removeOldest();
      int frame = (int) entry;
      if (words.takeUnused(frame, (int) (entry >>> 32))) {
        long hash = PageTable.hash(words.pageId(frame));
        Mem.putInt(place(hash, frames), tag(hash));
        return frame;
      }
    }
    return NONE;
  }

  /** Adds a listed page that the caller has pinned; the oldest may be on trial no more. */
  synchronized void add(int frame, int frames) {
    while (size >= limit(frames, fraction)) {
      removeOldest();
    }
    long at = ((long) oldest + size) % capacity;
    Mem.putLong(queue + at * ENTRY_BYTES, (long) words.version(frame) << 32 | frame);
    size++;
  }

  /**
   * Whether a page left a short while ago: about as many others did since as half the cache holds.
   */
  synchronized boolean leftLately(long hash, int frames) {
    return Mem.getInt(place(hash, frames)) == tag(hash);
  }

  @GuardedBy("this")
  private long removeOldest() {
    long entry = Mem.getLong(queue + (long) oldest * ENTRY_BYTES);
    oldest = oldest + 1 == capacity ? 0 : oldest + 1;
    size--;
    return entry;
  }

  private long place(long hash, int frames) {
    return left + (((hash >>> 32) * remembered(frames)) >>> 32) * TAG_BYTES;
  }

  /** Never 0, which stands for no page. */
  private static int tag(long hash) {
    return (int) hash | 1;
  }

  private static int limit(int frames, int fraction) {
    return Math.max(1, frames / fraction);
  }

  private static int remembered(int frames) {
    return Math.max(1, frames / FRAMES_PER_TAG);
  }
}
