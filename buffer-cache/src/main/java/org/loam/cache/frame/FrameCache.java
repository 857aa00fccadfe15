package org.loam.cache.frame;

import org.loam.cache.BufferCache;
import org.loam.cache.CacheCounters;
import org.loam.cache.CacheStatistics;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;

/**
 * The buffer cache of MemoryWalls §3: frames are pages of a pool that write memory shares, so that
 * memory can move between the two while both are in use.
 *
 * <p>A hit takes no lock and allocates nothing: it probes {@link PageTable} and does one
 * compare-and-set on the frame's word. A miss reads with no lock held; others that want the page
 * wait for it. After a read that failed each of them tries by itself.
 */
public final class FrameCache implements BufferCache, AutoCloseable {
  /** Most memory that one {@link #resize} gives back, so that none takes long. */
  public static final int RESIZE_STEP_BYTES = 64 << 20;

  /** As many threads as {@link #readAhead} has buffers for. */
  public static final int READ_AHEAD_THREADS = ReadAheadBuffers.AHEAD_BUFFERS;

  private static final int NONE = PageTable.NONE;

  /** A cache line. */
  private static final int ALIGNMENT = 64;

  private final CacheMemory memory;
  private final CacheCounters counters;
  private final Frames frames;
  private final long tables;
  private final FrameWords words;
  private final PageTable table;
  private final FrameSupply supply;
  private final PendingReads pending;
  private final PageReader reader;
  private final StretchReader stretches;
  private volatile boolean closed;

  /**
   * Makes an empty cache.
   *
   * @param counters where hits, misses and the rest are counted
   * @throws IllegalArgumentException if the fixed memory has no room for the tables
   */
  public FrameCache(CacheMemory memory, Waiter waiter, CacheCounters counters) {
    this(memory, waiter, counters, poolBytes(memory));
  }

  /** With the buffers to read ahead of a pool of another size: those of a large one take tests. */
  FrameCache(
      CacheMemory memory, Waiter waiter, CacheCounters counters, long poolBytesForReadAhead) {
    this.memory = memory;
    this.counters = counters;
    this.frames = new Frames(memory.pool());
    int frameCount = frames.count();
    this.tables =
        memory.fixed().allocate("page table", CacheMemory.tableBytes(frameCount), ALIGNMENT);
    this.words = new FrameWords(tables, frameCount);
    this.table = new PageTable(words, tables + FrameWords.bytes(frameCount), frameCount);
    Trials trials =
        new Trials(
            words, tables + FrameWords.bytes(frameCount) + PageTable.bytes(frameCount), frameCount);
    this.supply = new FrameSupply(memory, words, table, trials, waiter, counters);
    this.pending = new PendingReads(waiter, words, table, supply);
    this.reader = new PageReader(frames, words, supply, pending, counters);
    ReadAheadBuffers buffers = new ReadAheadBuffers(memory.fixed(), poolBytesForReadAhead);
    this.stretches = new StretchReader(frames, reader, pending, buffers, counters);
  }

  private static long poolBytes(CacheMemory memory) {
    return (long) memory.pool().pageCount() * memory.pool().pageBytes();
  }

  @Override
  public int pageBytes() {
    return frames.pageBytes();
  }

  @Override
  public long pin(PageSource source, int pageNo, ReadIntent intent) {
    int frame = pinPresent(source, pageNo, intent);
    Use use = intent.keeps() ? Use.NOW : Use.ONCE;
    return frames.address(frame == NONE ? reader.load(source, pageNo, intent, use, 0) : frame);
  }

  @Override
  public long pinStretch(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int frame = pinPresent(source, pageNo, intent);
    return frames.address(
        frame == NONE ? stretches.load(source, pageNo, lastPageNo, intent) : frame);
  }

  @Override
  public void readAhead(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int step = lastPageNo < pageNo ? -1 : 1;
    int at = pageNo;
    while ((lastPageNo - at) * step >= 0 && !closed) {
      int pages = stretches.readAhead(source, at, lastPageNo, intent);
      if (pages == 0) {
        return;
      }
      at += step * pages;
    }
  }

  @Override
  public boolean isThere(int fileId, int pageNo) {
    long pageId = PageTable.pageId(fileId, pageNo);
    return table.isListed(PageTable.hash(pageId), pageId);
  }

  @Override
  public double usedSince(int fileId, int pageNo) {
    long pageId = PageTable.pageId(fileId, pageNo);
    long hash = PageTable.hash(pageId);
    return table.isListed(hash, pageId)
        ? counters.usedSince(pageId, hash)
        : Double.POSITIVE_INFINITY;
  }

  @Override
  public void admit(int fileId, int pageNo, long address) {
    checkPlace(fileId, pageNo);
    long pageId = PageTable.pageId(fileId, pageNo);
    if (pending.announce(pageId) && !reader.copyIn(pageId, address, Use.WANTED)) {
      pending.withdraw(pageId);
    }
  }

  @Override
  public boolean isWarm(int fileId, int pageNo) {
    long pageId = PageTable.pageId(fileId, pageNo);
    return table.isWarm(PageTable.hash(pageId), pageId);
  }

  @Override
  public void unpin(long address) {
    supply.unpin(frames.at(address));
  }

  @Override
  public void purge(int fileId, int pageCount) {
    pending.doom(fileId);
    for (int pageNo = 0; pageNo < pageCount; pageNo++) {
      long pageId = PageTable.pageId(fileId, pageNo);
      int frame = table.drop(PageTable.hash(pageId), pageId);
      if (frame != NONE) {
        supply.give(frame);
      }
    }
    counters.deleted(PageTable.pageId(fileId, 0), PageTable.pageId(fileId, pageCount));
  }

  /**
   * Takes a step towards the target of the cache's quota, giving back at most {@link
   * #RESIZE_STEP_BYTES}; readers go on. Growing needs no step: frames are taken when a page is
   * missed. Frames that are pinned stay for now.
   *
   * @return frames still above the target; call again while it is not 0
   */
  public int resize() {
    return supply.shrink(Math.max(1, RESIZE_STEP_BYTES / frames.pageBytes()));
  }

  @Override
  public void readPast(PageSource source, int pageNo, int pages, long address) {
    reader.readPast(source, pageNo, pages, address);
  }

  @Override
  public long writeBegins() {
    return counters.backgroundBegins();
  }

  @Override
  public int requestBytes(int most) {
    return counters.backgroundBytes(most);
  }

  @Override
  public void wrote(long bytes, long began) {
    counters.wrote(bytes, began);
  }

  @Override
  public void writeEnds() {
    counters.backgroundEnds();
  }

  /** Counters since the start, and frames now. */
  public CacheStatistics statistics() {
    return CacheStatistics.of(counters, memory.quota().usedPages(), supply.pinnedFrames());
  }

  /**
   * Gives all memory back. No pin may be left and no other call under way.
   *
   * @throws AssertionError if pages are pinned, naming them; then it gives nothing back, and its
   *     owner decides whether the pool is freed all the same
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (supply.pinnedFrames() != 0) {
      throw new AssertionError("closed with pages pinned: " + describePinned());
    }
    closed = true;
    supply.close();
    stretches.close();
    memory.fixed().free(tables);
  }

  /**
   * Pins a page that is listed, or that another thread is reading. Returns {@link #NONE} if this
   * thread has to read it: it is announced then.
   */
  private int pinPresent(PageSource source, int pageNo, ReadIntent intent) {
    if (closed) {
      throw new ClosedException("the buffer cache is closed");
    }
    long pageId = PageTable.pageId(source.fileId(), pageNo);
    long hash = PageTable.hash(pageId);
    counters.used(pageId, hash);
    int frame = table.pin(hash, pageId, intent);
    if (frame == NONE) {
      checkPlace(source.fileId(), pageNo);
      frame = pending.await(hash, pageId, intent);
    }
    if (frame != NONE) {
      counters.hit(intent.access());
    }
    return frame;
  }

  private String describePinned() {
    StringBuilder pinned = new StringBuilder();
    for (int frame = 0; frame < frames.count(); frame++) {
      if (words.pins(frame) != 0) {
        pinned.append(pinned.length() == 0 ? "" : "; ").append(words.describe(frame));
      }
      if (pinned.length() > 2000) {
        return pinned + "; and more";
      }
    }
    return pinned.toString();
  }

  private static void checkPlace(int fileId, int pageNo) {
    if (fileId <= 0) {
      throw new IllegalArgumentException("fileId is " + fileId + ", must be positive");
    }
    if (pageNo < 0) {
      throw new IllegalArgumentException("pageNo is " + pageNo + ", must not be negative");
    }
  }
}
