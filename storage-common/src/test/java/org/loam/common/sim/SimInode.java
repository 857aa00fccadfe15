package org.loam.common.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;

/**
 * A file without its name, as two images: what the running system sees and what the device holds.
 * Of each page written since the last force it keeps the versions in between, any of which the
 * device may have got. Pages are never changed, only replaced, so that copies of a disk share them.
 * Null is a page of zeros that takes no space. Guarded by the baton.
 */
final class SimInode {
  static final int PAGE_BYTES = 4096;
  static final int SECTOR_BYTES = 512;

  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  /** Versions remembered of a page or size between two forces; more are thinned out at random. */
  private static final int MAX_VERSIONS = 8;

  /** One unforced page in so many comes torn out of a power loss. */
  private static final int ONE_TORN_IN = 4;

  final boolean directory;
  private final SimDisk disk;

  private byte @Nullable [][] current = new byte[4][];
  private byte @Nullable [][] durable = new byte[4][];
  private final TreeMap<Integer, List<byte @Nullable []>> unforced = new TreeMap<>();
  private long sizeBytes;
  private long durableSizeBytes;
  private final List<Long> unforcedSizes = new ArrayList<>();
  private int allocatedPages;

  /**
   * Pages that the next force writes. The page cache may keep what is mapped in folios, and a store
   * makes all of a folio dirty; a write makes only its pages dirty. So a store counts for its whole
   * mapping, which is the worst case.
   */
  private final BitSet dirty = new BitSet();

  /** Open mappings, whose memory is ahead of {@code current} until absorbed. */
  final List<SimMapping> mappings = new ArrayList<>();

  /** How many names it has. */
  int names;

  int openHandles;

  SimInode(SimDisk disk, boolean directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /** A copy for another disk; what is mapped must have been absorbed. */
  SimInode copyTo(SimDisk other) {
    SimInode copy = new SimInode(other, directory);
    copy.current = current.clone();
    copy.durable = durable.clone();
    for (Map.Entry<Integer, List<byte @Nullable []>> entry : unforced.entrySet()) {
      copy.unforced.put(entry.getKey(), new ArrayList<>(entry.getValue()));
    }
    copy.sizeBytes = sizeBytes;
    copy.durableSizeBytes = durableSizeBytes;
    copy.unforcedSizes.addAll(unforcedSizes);
    copy.allocatedPages = allocatedPages;
    copy.names = names;
    return copy;
  }

  SimDisk disk() {
    return disk;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  int allocatedPages() {
    return allocatedPages;
  }

  /** The content of a page, of {@link #PAGE_BYTES}; not to be changed. */
  byte[] page(int index) {
    byte[] page = index < current.length ? current[index] : null;
    return page == null ? ZEROS : page;
  }

  boolean isAllocated(int index) {
    return index < current.length && current[index] != null;
  }

  /** Replaces a page; it is unforced from then on. */
  void putPage(int index, byte @Nullable [] page) {
    List<byte @Nullable []> versions = unforced.get(index);
    if (versions == null) {
      versions = new ArrayList<>(2);
      unforced.put(index, versions);
    } else if (versions.size() == MAX_VERSIONS) {
      versions.remove(disk.random().below(MAX_VERSIONS));
    }
    versions.add(page);
    dirty.set(index);
    setCurrent(index, page);
  }

  /** The next force writes the pages of a range, changed or not. */
  void noteDirty(long offset, long length) {
    int from = Math.toIntExact(offset / PAGE_BYTES);
    dirty.set(from, Math.toIntExact((offset + length + PAGE_BYTES - 1) / PAGE_BYTES));
  }

  private void setCurrent(int index, byte @Nullable [] page) {
    if (index >= current.length) {
      current = Arrays.copyOf(current, Math.max(index + 1, current.length * 2));
    }
    int change = (page == null ? 0 : 1) - (current[index] == null ? 0 : 1);
    allocatedPages += change;
    if (names > 0 || openHandles > 0) {
      disk.addAllocatedPages(change);
    }
    current[index] = page;
  }

  /** Writes bytes from memory at an offset; the caller has seen to the space. */
  void write(long offset, long address, int length) {
    for (int done = 0; done < length; ) {
      int index = Math.toIntExact((offset + done) / PAGE_BYTES);
      int from = (int) ((offset + done) % PAGE_BYTES);
      int count = Math.min(length - done, PAGE_BYTES - from);
      byte[] page = count == PAGE_BYTES ? new byte[PAGE_BYTES] : page(index).clone();
      Mem.copyOut(address + done, page, from, count);
      putPage(index, page);
      done += count;
    }
    for (SimMapping mapping : mappings) {
      mapping.show(offset, length);
    }
    setSize(Math.max(sizeBytes, offset + length));
  }

  /** How many of the bytes can be written when so many pages are free. */
  int writableBytes(long offset, int length, long freePages) {
    long left = freePages;
    long end = offset + length;
    for (long index = offset / PAGE_BYTES; index * PAGE_BYTES < end; index++) {
      if (!isAllocated(Math.toIntExact(index)) && left-- == 0) {
        return (int) Math.max(0, index * PAGE_BYTES - offset);
      }
    }
    return length;
  }

  /** Shortens the file; a larger size changes nothing. */
  void truncate(long newSizeBytes) {
    if (newSizeBytes >= sizeBytes) {
      return;
    }
    int keptPages = Math.toIntExact((newSizeBytes + PAGE_BYTES - 1) / PAGE_BYTES);
    for (int index = keptPages; index < current.length; index++) {
      if (current[index] != null) {
        putPage(index, null);
      }
    }
    int tail = (int) (newSizeBytes % PAGE_BYTES);
    if (tail != 0 && isAllocated(keptPages - 1)) {
      putPage(keptPages - 1, zeroedFrom(page(keptPages - 1), tail));
    }
    setSize(newSizeBytes);
  }

  private void setSize(long newSizeBytes) {
    if (newSizeBytes != sizeBytes) {
      if (unforcedSizes.size() == MAX_VERSIONS) {
        unforcedSizes.remove(disk.random().below(MAX_VERSIONS));
      }
      unforcedSizes.add(newSizeBytes);
      sizeBytes = newSizeBytes;
    }
  }

  /** Takes over what was stored through mappings. */
  void absorbMappings() {
    for (SimMapping mapping : mappings) {
      mapping.absorb();
    }
  }

  void force() {
    absorbMappings();
    disk.addForcedBytes((long) dirty.cardinality() * PAGE_BYTES);
    dirty.clear();
    growDurable();
    for (Integer index : unforced.keySet()) {
      durable[index] = current[index];
    }
    unforced.clear();
    if (!unforcedSizes.isEmpty()) {
      durableSizeBytes = sizeBytes;
      unforcedSizes.clear();
    }
  }

  /** As Linux does it: each page is marked clean, whether the device took it or not. */
  void failForce(SimRandom random) {
    absorbMappings();
    growDurable();
    for (Integer index : List.copyOf(unforced.keySet())) {
      switch (random.below(3)) {
        case 0 -> durable[index] = current[index];
        case 1 -> setCurrent(index, durable[index]);
        default -> {
          // The system goes on showing bytes that the device will never get.
        }
      }
    }
    unforced.clear();
    if (random.oneIn(2)) {
      durableSizeBytes = sizeBytes;
    }
    unforcedSizes.clear();
    for (SimMapping mapping : mappings) {
      mapping.show(0, Long.MAX_VALUE);
    }
  }

  /** What the device holds after a power loss becomes what the next system sees. */
  void losePower(SimRandom random, int keepPercent, Counters counters) {
    growDurable();
    for (Map.Entry<Integer, List<byte @Nullable []>> entry : unforced.entrySet()) {
      int index = entry.getKey();
      durable[index] = survivor(durable[index], entry.getValue(), random, keepPercent, counters);
    }
    unforced.clear();
    if (!unforcedSizes.isEmpty()) {
      if (random.below(100) < keepPercent) {
        durableSizeBytes = unforcedSizes.get(latest(unforcedSizes.size(), random));
      }
      unforcedSizes.clear();
    }
    counters.sizesLost += durableSizeBytes == sizeBytes ? 0 : 1;
    sizeBytes = durableSizeBytes;
    cutDurableAt(durableSizeBytes);
    current = durable.clone();
    allocatedPages = 0;
    for (byte[] page : current) {
      allocatedPages += page == null ? 0 : 1;
    }
  }

  /** Makes all that is visible durable, as if it had always been so. */
  void settle() {
    force();
    durable = current.clone();
    durableSizeBytes = sizeBytes;
  }

  private static byte @Nullable [] survivor(
      byte @Nullable [] forced,
      List<byte @Nullable []> versions,
      SimRandom random,
      int keepPercent,
      Counters counters) {
    int last = versions.size() - 1;
    int kept = random.below(100) < keepPercent ? latest(last + 1, random) : -1;
    byte[] page = kept < 0 ? forced : versions.get(kept);
    if (random.oneIn(ONE_TORN_IN)) {
      int otherIndex = random.below(last + 2) - 1;
      byte[] other = otherIndex < 0 ? forced : versions.get(otherIndex);
      byte[] torn = torn(page, other, random);
      if (!Arrays.equals(torn, page == null ? ZEROS : page)) {
        counters.pagesTorn++;
        return torn;
      }
    }
    if (kept < 0) {
      counters.pagesLost++;
    } else if (kept < last) {
      counters.pagesStale++;
    } else {
      counters.pagesKept++;
    }
    return page;
  }

  /** Mostly the last of so many versions, sometimes any. */
  private static int latest(int versions, SimRandom random) {
    return random.oneIn(3) ? random.below(versions) : versions - 1;
  }

  private static byte[] torn(byte @Nullable [] page, byte @Nullable [] other, SimRandom random) {
    byte[] torn = (page == null ? ZEROS : page).clone();
    for (int sector = 0; sector < PAGE_BYTES; sector += SECTOR_BYTES) {
      if (random.oneIn(2)) {
        System.arraycopy(other == null ? ZEROS : other, sector, torn, sector, SECTOR_BYTES);
      }
    }
    return torn;
  }

  /** Bytes beyond the size never show, not even when the file grows again. */
  private void cutDurableAt(long size) {
    int keptPages = Math.toIntExact((size + PAGE_BYTES - 1) / PAGE_BYTES);
    for (int index = keptPages; index < durable.length; index++) {
      durable[index] = null;
    }
    int tail = (int) (size % PAGE_BYTES);
    if (tail != 0 && keptPages <= durable.length && durable[keptPages - 1] != null) {
      durable[keptPages - 1] = zeroedFrom(durable[keptPages - 1], tail);
    }
  }

  private static byte[] zeroedFrom(byte[] page, int from) {
    byte[] cut = page.clone();
    Arrays.fill(cut, from, PAGE_BYTES, (byte) 0);
    return cut;
  }

  private void growDurable() {
    if (durable.length < current.length) {
      durable = Arrays.copyOf(durable, current.length);
    }
  }

  /** Copies bytes of the file to memory; the caller has checked the size. */
  void read(long offset, long address, long length) {
    for (long done = 0; done < length; ) {
      int index = Math.toIntExact((offset + done) / PAGE_BYTES);
      int from = (int) ((offset + done) % PAGE_BYTES);
      int count = (int) Math.min(length - done, PAGE_BYTES - from);
      Mem.copyIn(page(index), from, address + done, count);
      done += count;
    }
  }
}
