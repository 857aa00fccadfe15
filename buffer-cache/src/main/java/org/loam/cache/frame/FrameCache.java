package org.loam.cache.frame;

import org.jspecify.annotations.Nullable;
import org.loam.cache.BufferCache;
import org.loam.cache.CacheCounters;
import org.loam.cache.CacheStatistics;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

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

  /**
   * As many threads as {@link #readAhead} has buffers for: one reads while the other lists what it
   * has read.
   */
  public static final int READ_AHEAD_THREADS = 2;

  private static final int NONE = PageTable.NONE;

  /**
   * Pages to come that make the first page of a run one of many: with fewer, it costs almost a
   * request of its own.
   */
  private static final int MANY = 4;

  /** A cache line. */
  private static final int ALIGNMENT = 64;

  private final CacheMemory memory;
  private final int pageBytes;
  private final int pageShift;
  private final long base;
  private final long poolBytes;
  private final CacheCounters counters;
  private final long tables;
  private final FrameWords words;
  private final PageTable table;
  private final PendingReads pending;
  private final FrameSupply supply;
  private final ReadAheadBuffers readAhead;
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
    this.pageBytes = memory.pool().pageBytes();
    this.pageShift = Integer.numberOfTrailingZeros(pageBytes);
    this.base = memory.pool().base();
    int frameCount = memory.pool().pageCount();
    this.poolBytes = poolBytes(memory);
    this.counters = counters;
    this.tables =
        memory.fixed().allocate("page table", CacheMemory.tableBytes(frameCount), ALIGNMENT);
    this.words = new FrameWords(tables, frameCount);
    this.table = new PageTable(words, tables + FrameWords.bytes(frameCount), frameCount);
    Trials trials =
        new Trials(
            words, tables + FrameWords.bytes(frameCount) + PageTable.bytes(frameCount), frameCount);
    this.pending = new PendingReads(waiter);
    this.supply = new FrameSupply(memory, words, table, trials, waiter, counters);
    this.readAhead = new ReadAheadBuffers(memory.fixed(), poolBytesForReadAhead);
  }

  private static long poolBytes(CacheMemory memory) {
    return (long) memory.pool().pageCount() * memory.pool().pageBytes();
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long pin(PageSource source, int pageNo, ReadIntent intent) {
    int frame = pinPresent(source, pageNo, intent);
    Use use = intent.keeps() ? Use.NOW : Use.ONCE;
    return address(frame == NONE ? load(source, pageNo, intent, use, 0) : frame);
  }

  @Override
  public long pinRun(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int frame = pinPresent(source, pageNo, intent);
    return address(frame == NONE ? loadRun(source, pageNo, lastPageNo, intent) : frame);
  }

  @Override
  public void readAhead(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int step = lastPageNo < pageNo ? -1 : 1;
    int at = pageNo;
    while ((lastPageNo - at) * step >= 0 && !closed) {
      int buffer = readAhead.takeAhead();
      if (buffer == ReadAheadBuffers.NONE) {
        return;
      }
      readThrough(new Run(source, at, lastPageNo, intent), null, buffer);
      at += step * maxPages(buffer);
    }
  }

  @Override
  public boolean isThere(int fileId, int pageNo) {
    long pageId = pageId(fileId, pageNo);
    return table.isListed(PageTable.hash(pageId), pageId);
  }

  @Override
  public void admit(int fileId, int pageNo, long address) {
    checkPlace(fileId, pageNo);
    long pageId = pageId(fileId, pageNo);
    if (announce(pageId) && !copyIn(pageId, address, Use.WANTED)) {
      withdraw(pageId);
    }
  }

  @Override
  public boolean isWarm(int fileId, int pageNo) {
    long pageId = pageId(fileId, pageNo);
    return table.isWarm(PageTable.hash(pageId), pageId);
  }

  @Override
  public void unpin(long address) {
    long offset = address - base;
    if (offset < 0 || offset >= poolBytes || (offset & (pageBytes - 1)) != 0) {
      throw new AssertionError("not the address of a frame: 0x" + Long.toHexString(address));
    }
    int frame = (int) (offset >>> pageShift);
    FrameWords.Last last = words.unpin(frame);
    if (last != FrameWords.Last.NO) {
      free(frame, last);
    }
  }

  @Override
  public void purge(int fileId, int pageCount) {
    pending.doom(fileId);
    for (int pageNo = 0; pageNo < pageCount; pageNo++) {
      long pageId = pageId(fileId, pageNo);
      int frame = table.drop(PageTable.hash(pageId), pageId);
      if (frame != NONE) {
        supply.give(frame);
      }
    }
  }

  /**
   * Takes a step towards the target of the cache's quota, giving back at most {@link
   * #RESIZE_STEP_BYTES}; readers go on. Growing needs no step: frames are taken when a page is
   * missed. Frames that are pinned stay for now.
   *
   * @return frames still above the target; call again while it is not 0
   */
  public int resize() {
    return supply.shrink(Math.max(1, RESIZE_STEP_BYTES / pageBytes));
  }

  @Override
  public CacheStatistics statistics() {
    return counters.statistics(memory.quota().usedPages(), words.pinnedFrames());
  }

  /**
   * Gives all memory back. No pin may be left and no other call under way.
   *
   * @throws AssertionError if pages are pinned, naming them; the memory then stays, so that who
   *     still reads them reads no freed memory
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (words.pinnedFrames() != 0) {
      throw new AssertionError("closed with pages pinned: " + describePinned());
    }
    closed = true;
    supply.close();
    readAhead.close();
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
    long pageId = pageId(source.fileId(), pageNo);
    long hash = PageTable.hash(pageId);
    int frame = table.pin(hash, pageId, intent);
    if (frame == NONE) {
      checkPlace(source.fileId(), pageNo);
      frame = pinAwaited(hash, pageId, intent);
    }
    if (frame != NONE) {
      counters.hit(intent.access());
    }
    return frame;
  }

  private int pinAwaited(long hash, long pageId, ReadIntent intent) {
    PendingReads.Stripe stripe = pending.stripe(hash);
    Monitor monitor = stripe.monitor();
    monitor.lock();
    try {
      int frame = table.pinLocked(hash, pageId, intent);
      while (frame == NONE && stripe.contains(pageId)) {
        monitor.await();
        frame = table.pinLocked(hash, pageId, intent);
      }
      if (frame == NONE) {
        stripe.add(pageId);
      }
      return frame;
    } finally {
      monitor.unlock();
    }
  }

  /** Announces a page that is neither listed nor being read; false if it is. */
  private boolean announce(long pageId) {
    long hash = PageTable.hash(pageId);
    PendingReads.Stripe stripe = pending.stripe(hash);
    Monitor monitor = stripe.monitor();
    monitor.lock();
    try {
      if (stripe.contains(pageId) || table.isListed(hash, pageId)) {
        return false;
      }
      stripe.add(pageId);
      return true;
    } finally {
      monitor.unlock();
    }
  }

  /** Reads an announced page, returned pinned, and those beside it that are not there yet. */
  private int loadRun(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int pages = 1 + Math.abs(lastPageNo - pageNo);
    Use use = !intent.keeps() ? Use.ONCE : pages < MANY ? Use.NOW : Use.FIRST_OF_MANY;
    int buffer = pages > 1 ? readAhead.take() : ReadAheadBuffers.NONE;
    if (buffer == ReadAheadBuffers.NONE) {
      return load(source, pageNo, intent, use, 0);
    }
    return readThrough(new Run(source, pageNo, lastPageNo, intent), use, buffer);
  }

  /** Pages that a reader goes on to, up or down, from the first one on. */
  private record Run(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {}

  /**
   * Reads pages in one request. Pages between them that are there are read again: that costs less
   * than a second request.
   *
   * <p>The nearest page is listed last. Who waits for it mostly goes on to the others, as the scans
   * do that go through a tree together: to be woken for each page costs more than reading them.
   *
   * @param use of the first page, which is announced and returned pinned; null to read it if it is
   *     not there, like the others
   * @param buffer given back
   */
  private int readThrough(Run run, @Nullable Use use, int buffer) {
    PageSource source = run.source;
    boolean up = run.lastPageNo > run.pageNo;
    int limit = Math.min(1 + Math.abs(run.lastPageNo - run.pageNo), maxPages(buffer));
    int first = up ? run.pageNo : run.pageNo - limit + 1;
    long wanted = use == null ? 0 : 1L << (run.pageNo - first);
    // Bit i stands for page first + i: this thread has announced it and must end its read.
    long announced = wanted;
    try {
      for (int i = 0; i < limit; i++) {
        long bit = 1L << i;
        announced |= bit != wanted && announce(pageId(source.fileId(), first + i)) ? bit : 0;
      }
      int from = first + Long.numberOfTrailingZeros(announced);
      int length = first + Long.SIZE - Long.numberOfLeadingZeros(announced) - from;
      long address = readAhead.address(buffer);
      boolean read = announced != wanted && readRun(source, from, length, address);
      for (long left = read ? announced & ~wanted : 0; left != 0; ) {
        // If frames are short, the others make room for the nearest.
        long bit = up ? Long.highestOneBit(left) : Long.lowestOneBit(left);
        left &= ~bit;
        int ahead = first + Long.numberOfTrailingZeros(bit);
        long page = place(address, ahead - from);
        if (PageHeader.isWhole(source, ahead, page, pageBytes)) {
          Use later = run.intent.keeps() ? Use.SOON : Use.SOON_ONCE;
          if (!copyIn(pageId(source.fileId(), ahead), page, later)) {
            break;
          }
          counters.missed(run.intent.access(), 1);
          announced &= ~bit;
        }
      }
      long bytes = read ? place(address, run.pageNo - from) : 0;
      announced &= ~wanted;
      return use == null ? NONE : load(source, run.pageNo, run.intent, use, bytes);
    } finally {
      for (; announced != 0; announced &= announced - 1) {
        int i = Long.numberOfTrailingZeros(announced);
        withdraw(pageId(source.fileId(), first + i));
      }
      readAhead.give(buffer);
    }
  }

  /** False if the device refused; perhaps because of one page only, so its error is not told. */
  private boolean readRun(PageSource source, int pageNo, int pages, long address) {
    try {
      source.file().read((long) pageNo << pageShift, address, pages << pageShift);
      return true;
    } catch (StorageIoException e) {
      return false;
    }
  }

  /** Lists a copy of an announced page; false if no frame is at hand. */
  private boolean copyIn(long pageId, long address, Use use) {
    TrialQueue trial = supply.trial(pageId, use);
    int frame = supply.takeNow(trial);
    if (frame == NONE) {
      return false;
    }
    words.hold(frame);
    Mem.copy(address, address(frame), pageBytes);
    publish(frame, pageId, use, trial);
    unpin(address(frame));
    return true;
  }

  /**
   * Reads a page that this thread has announced in {@link PendingReads}; returns it pinned.
   *
   * @param bytes where it was read to already, 0 if it was not
   */
  private int load(PageSource source, int pageNo, ReadIntent intent, Use use, long bytes) {
    long pageId = pageId(source.fileId(), pageNo);
    TrialQueue trial = supply.trial(pageId, use);
    int frame = NONE;
    boolean read = false;
    try {
      frame = supply.take(trial);
      words.hold(frame);
      counters.missed(intent.access(), 1);
      read(source, pageNo, address(frame), bytes);
      read = true;
    } finally {
      if (read) {
        publish(frame, pageId, use, trial);
      } else {
        withdraw(pageId);
        if (frame != NONE) {
          words.clear(frame);
          supply.give(frame);
        }
      }
    }
    return frame;
  }

  private void read(PageSource source, int pageNo, long address, long bytes) {
    if (bytes == 0) {
      read(source, pageNo, address);
    } else {
      Mem.copy(bytes, address, pageBytes);
    }
    try {
      PageHeader.verify(source, pageNo, address, pageBytes);
    } catch (CorruptionException e) {
      counters.checksumFailed();
      throw e;
    }
  }

  private void read(PageSource source, int pageNo, long address) {
    try {
      source.file().read((long) pageNo << pageShift, address, pageBytes);
    } catch (StorageIoException e) {
      throw new StorageIoException(
          "page " + pageNo + " of file id " + source.fileId() + ": " + e.getMessage(), e);
    }
  }

  /** Ends a read: the page is listed unless its file was purged meanwhile. */
  private void publish(int frame, long pageId, Use use, @Nullable TrialQueue trial) {
    long hash = PageTable.hash(pageId);
    PendingReads.Stripe stripe = pending.stripe(hash);
    Monitor monitor = stripe.monitor();
    monitor.lock();
    try {
      if (stripe.remove(pageId)) {
        words.doom(frame, pageId);
      } else if (table.list(hash, frame, pageId, use) && trial != null) {
        supply.putOnTrial(trial, frame);
      }
    } finally {
      monitor.unlock();
    }
  }

  /** Ends a read that brought nothing: others who want the page read it themselves. */
  private void withdraw(long pageId) {
    PendingReads.Stripe stripe = pending.stripe(PageTable.hash(pageId));
    Monitor monitor = stripe.monitor();
    monitor.lock();
    try {
      stripe.remove(pageId);
    } finally {
      monitor.unlock();
    }
  }

  private void free(int frame, FrameWords.Last last) {
    if (last == FrameWords.Last.DOOMED) {
      words.clear(frame);
      supply.give(frame);
    } else if (words.takePassing(frame)) {
      supply.unlist(frame);
      supply.give(frame);
    }
  }

  private String describePinned() {
    StringBuilder pinned = new StringBuilder();
    int frameCount = memory.pool().pageCount();
    for (int frame = 0; frame < frameCount; frame++) {
      if (words.pins(frame) != 0) {
        pinned.append(pinned.length() == 0 ? "" : "; ").append(words.describe(frame));
      }
      if (pinned.length() > 2000) {
        return pinned + "; and more";
      }
    }
    return pinned.toString();
  }

  private long address(int frame) {
    return place(base, frame);
  }

  private long place(long pages, int index) {
    return pages + ((long) index << pageShift);
  }

  /** Pages that are read to a buffer at once: no more than there are bits in a word. */
  private int maxPages(int buffer) {
    return Math.min(Long.SIZE, readAhead.bytes(buffer) >>> pageShift);
  }

  private static long pageId(int fileId, int pageNo) {
    return (long) fileId << 32 | pageNo;
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
