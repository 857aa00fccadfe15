package org.loam.cache.frame;

import java.util.Locale;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;

/**
 * Two words for each page of the pool, off-heap, found by page index: what the frame holds, and how
 * it is used. All changes of state are one atomic step. Thread-safe.
 *
 * <pre>
 *  offset  size  field
 *       0     8  state
 *                  bits 0-23   pins
 *                  bit  24     hit since the clock hand passed
 *                  bits 25-26  credit: turns of the hand with a hit, up to 3, less those without
 *                  bit  27     ahead: read ahead of its first use, which is no hit
 *                  bit  28     listed: the page table shows the page; new pins are possible
 *                  bit  29     passing: no reader wants the page kept; free at the last unpin
 *                  bit  30     doomed: no longer listed; free at the last unpin
 *                  bits 32-63  version, one more at each change of content
 *       8     8  page id (file id, page number); in a free frame, the next free one
 * </pre>
 *
 * <p>A frame is free (no flag, no pin), held (one pin, no flag: its owner fills it), listed, or
 * doomed. Only the thread that turns it from listed to free, or unpins it last when doomed, owns it
 * then.
 *
 * <p>A pin is one compare-and-set on the state, with the page id read before it: a frame that got
 * another page in between has another version, so a success proves that the id was right. The page
 * table may thus be read without any lock.
 */
final class FrameWords {
  /** Why a page was read. */
  enum Use {
    /** To be used now. */
    NOW(0, Trial.SINGLE),
    /** To be kept: readers wanted what is in it. */
    WANTED(0, Trial.NONE),
    /** To be used now, as many behind it are soon. */
    FIRST_OF_MANY(0, Trial.STRETCH),
    /** To be used soon, read together with one used now. */
    SOON(AHEAD, Trial.STRETCH),
    /** As {@link #SOON}, and then not kept. */
    SOON_ONCE(AHEAD | PASSING, Trial.STRETCH),
    /** To be used once. */
    ONCE(PASSING, Trial.NONE);

    private final long flag;
    private final Trial trial;

    Use(long flag, Trial trial) {
      this.flag = flag;
      this.trial = trial;
    }

    /** Which trial the page has to stand before it is kept. */
    Trial trial() {
      return trial;
    }
  }

  /** With which others a page has to prove that it is worth keeping, see {@link Trials}. */
  enum Trial {
    NONE,
    /** Those missed one by one. */
    SINGLE,
    /** Those that come many to a request. */
    STRETCH
  }

  /** What {@link #unpin} leaves to do. */
  enum Last {
    /** Nothing. */
    NO,
    /** Offer the frame to {@link #takePassing}. */
    PASSING,
    /** The frame belongs to the caller, which must {@link #clear} and free it. */
    DOOMED
  }

  /** What {@link #drop} met. */
  enum Dropped {
    /** The frame holds another page, or none. */
    ABSENT,
    /** The frame is the caller's. */
    TAKEN,
    /** Readers hold it; the last of them frees it. */
    DOOMED
  }

  /** Four frames to a cache line; one to a line gained two threads nothing that could be seen. */
  static final int BYTES = 16;

  /**
   * Turns of the clock hand that evict any page: one sees the hit, three take credit, one evicts.
   */
  static final int MAX_TURNS = 5;

  private static final int SHIFT = 4;
  private static final int PAGE_ID = 8;
  private static final long PIN = 1;
  private static final long PINS = (1L << 24) - 1;
  private static final long HIT = 1L << 24;
  private static final long CREDIT_ONE = 1L << 25;
  private static final long CREDIT = 3L << 25;
  private static final long AHEAD = 1L << 27;
  private static final long LISTED = 1L << 28;
  private static final long PASSING = 1L << 29;
  private static final long DOOMED = 1L << 30;
  private static final long VERSION_ONE = 1L << 32;
  private static final long VERSION = -1L << 32;

  private final long base;

  /**
   * @param base address of {@link #bytes} bytes, a multiple of 64
   */
  FrameWords(long base, int frameCount) {
    this.base = base;
    Mem.fill(base, bytes(frameCount), (byte) 0);
  }

  static long bytes(int frameCount) {
    return (long) frameCount * BYTES;
  }

  /**
   * Pins a frame if it holds the page.
   *
   * @param intent a reader that keeps what it reads marks the page as wanted
   */
  boolean pin(int frame, long pageId, ReadIntent intent) {
    boolean keeps = intent.keeps();
    long word = word(frame);
    long state = Mem.getLongVolatile(word);
    while ((state & LISTED) != 0 && Mem.getLong(word + PAGE_ID) == pageId) {
      if ((state & PINS) == PINS) {
        throw new AssertionError("too many pins: " + describe(frame));
      }
      if (Mem.compareAndSetLong(word, state, PIN + (keeps ? wanted(state) : used(state)))) {
        return true;
      }
      state = Mem.getLongVolatile(word);
    }
    return false;
  }

  private static long wanted(long state) {
    return ((state & AHEAD) != 0 ? state & ~AHEAD : state | HIT) & ~PASSING;
  }

  /** A reader that keeps nothing uses up what was read ahead for one such. */
  private static long used(long state) {
    return (state & PASSING) != 0 ? state & ~AHEAD : state;
  }

  Last unpin(int frame) {
    long word = word(frame);
    long before = Mem.getAndAddLong(word, -PIN);
    long use = before & (PINS | PASSING | DOOMED);
    if ((use & (PASSING | DOOMED)) == 0 && use != 0) {
      return Last.NO;
    }
    if ((before & PINS) == 0) {
      Mem.getAndAddLong(word, PIN);
      throw new AssertionError("unpinned more often than pinned: " + describe(frame));
    }
    if ((before & PINS) > PIN) {
      return Last.NO;
    }
    return (before & DOOMED) != 0 ? Last.DOOMED : Last.PASSING;
  }

  /** Pins a free frame of the caller's, for the time it fills it. */
  void hold(int frame) {
    long word = word(frame);
    Mem.putLongVolatile(word, nextVersion(Mem.getLong(word)) | PIN);
  }

  /** Shows the page in a held frame to others; keeps the pin. */
  void list(int frame, long pageId, Use use) {
    long word = word(frame);
    Mem.putLong(word + PAGE_ID, pageId);
    Mem.putLongVolatile(word, nextVersion(Mem.getLong(word)) | PIN | LISTED | use.flag);
  }

  /** Keeps the page in a held frame to the caller, until it unpins it. */
  void doom(int frame, long pageId) {
    long word = word(frame);
    Mem.putLong(word + PAGE_ID, pageId);
    Mem.putLongVolatile(word, nextVersion(Mem.getLong(word)) | PIN | DOOMED);
  }

  /** Makes a frame of the caller's free, whatever it was. */
  void clear(int frame) {
    long word = word(frame);
    Mem.putLongVolatile(word, nextVersion(Mem.getLong(word)));
  }

  /** The clock hand passes: true if the frame was listed and is now free and the caller's. */
  boolean passClock(int frame) {
    long word = word(frame);
    long state = Mem.getLongVolatile(word);
    if ((state & LISTED) == 0 || (state & PINS) != 0) {
      return false;
    }
    if ((state & HIT) != 0) {
      long credited = (state & CREDIT) == CREDIT ? state : state + CREDIT_ONE;
      Mem.compareAndSetLong(word, state, credited & ~HIT);
      return false;
    }
    if ((state & CREDIT) != 0) {
      Mem.compareAndSetLong(word, state, state - CREDIT_ONE);
      return false;
    }
    return Mem.compareAndSetLong(word, state, nextVersion(state));
  }

  /** Counts the changes of content of a frame that the caller has pinned. */
  int version(int frame) {
    return (int) (Mem.getLongVolatile(word(frame)) >>> 32);
  }

  /** Takes a page out that was listed in this version, is not pinned and was not used again. */
  boolean takeUnused(int frame, int version) {
    long word = word(frame);
    long state = Mem.getLongVolatile(word);
    return (int) (state >>> 32) == version
        && (state & (PINS | HIT | CREDIT | LISTED)) == LISTED
        && Mem.compareAndSetLong(word, state, nextVersion(state));
  }

  /**
   * Takes out a listed page that no thread pins and that no reader wanted kept: true if this call
   * did. A page that was read ahead and not used yet stays.
   */
  boolean takePassing(int frame) {
    long word = word(frame);
    long state = Mem.getLongVolatile(word);
    return (state & (PINS | LISTED | PASSING | AHEAD)) == (LISTED | PASSING)
        && Mem.compareAndSetLong(word, state, nextVersion(state));
  }

  /** Takes a page out, at once or at its last unpin. */
  Dropped drop(int frame, long pageId) {
    long word = word(frame);
    long state = Mem.getLongVolatile(word);
    while ((state & LISTED) != 0 && Mem.getLong(word + PAGE_ID) == pageId) {
      boolean free = (state & PINS) == 0;
      long next = free ? nextVersion(state) : (state & ~(LISTED | PASSING)) | DOOMED;
      if (Mem.compareAndSetLong(word, state, next)) {
        return free ? Dropped.TAKEN : Dropped.DOOMED;
      }
      state = Mem.getLongVolatile(word);
    }
    return Dropped.ABSENT;
  }

  /** The page that a frame holds; for its owner. */
  long pageId(int frame) {
    return Mem.getLong(word(frame) + PAGE_ID);
  }

  /** The next in a list of free frames; for the owner of the list. */
  int next(int frame) {
    return (int) Mem.getLong(word(frame) + PAGE_ID);
  }

  void setNext(int frame, int next) {
    Mem.putLong(word(frame) + PAGE_ID, next);
  }

  /** Whether the page in a frame was used again after it was brought, and not long ago. */
  boolean isWarm(int frame) {
    return (Mem.getLongVolatile(word(frame)) & (HIT | CREDIT)) != 0;
  }

  boolean isListed(int frame) {
    return (Mem.getLongVolatile(word(frame)) & LISTED) != 0;
  }

  int pins(int frame) {
    return (int) (Mem.getLongVolatile(word(frame)) & PINS);
  }

  int pinnedFrames(int below) {
    int pinned = 0;
    for (int frame = 0; frame < below; frame++) {
      if (pins(frame) != 0) {
        pinned++;
      }
    }
    return pinned;
  }

  /** Page, pins and flags of a frame, for messages. */
  String describe(int frame) {
    long state = Mem.getLongVolatile(word(frame));
    long pageId = pageId(frame);
    return String.format(
        Locale.ROOT,
        "frame %d, page %d of file id %d, %d pins%s%s%s",
        frame,
        (int) pageId,
        pageId >>> 32,
        state & PINS,
        (state & LISTED) != 0 ? ", listed" : "",
        (state & PASSING) != 0 ? ", passing" : "",
        (state & DOOMED) != 0 ? ", doomed" : "");
  }

  private long word(int frame) {
    return base + ((long) frame << SHIFT);
  }

  /** No pin and no flag. */
  private static long nextVersion(long state) {
    return (state & VERSION) + VERSION_ONE;
  }
}
