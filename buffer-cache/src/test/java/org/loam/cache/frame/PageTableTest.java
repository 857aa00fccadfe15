package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.FixedMemory;

class PageTableTest {
  private static final int FRAMES = 40;

  private static FrameWords words(FixedMemory fixed) {
    return new FrameWords(fixed.allocate("words", FrameWords.bytes(FRAMES), 64), FRAMES);
  }

  private static PageTable table(FixedMemory fixed, FrameWords words) {
    return new PageTable(words, fixed.allocate("table", PageTable.bytes(FRAMES), 64), FRAMES);
  }

  /** Few homes, so that rows of used slots are long, wrap around and mix. */
  private static long crowdedHash(Random random) {
    long home = random.nextInt(4) * 0x55555555L & 0xffffffffL;
    return (long) random.nextInt(2) << 60 | home;
  }

  @Test
  void agreesWithAMap() {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      try (FixedMemory fixed = new FixedMemory(CacheMemory.tableBytes(FRAMES))) {
        FrameWords words = words(fixed);
        PageTable table = table(fixed, words);
        Map<Long, Integer> frames = new HashMap<>();
        Map<Long, Long> hashes = new HashMap<>();
        for (long pageId = 1; pageId <= 60; pageId++) {
          hashes.put(pageId, crowdedHash(random));
        }
        for (int step = 0; step < 2000; step++) {
          long pageId = 1L + random.nextInt(60);
          long hash = hashes.get(pageId);
          Integer frame = frames.get(pageId);
          if (frame == null && frames.size() == FRAMES) {
            continue;
          }
          if (frame == null) {
            frame = freeFrame(frames, random);
            words.hold(frame);
            if (table.list(hash, frame, pageId, FrameWords.Use.NOW)) {
              frames.put(pageId, frame);
            }
            words.unpin(frame);
            if (!frames.containsKey(pageId)) {
              words.clear(frame);
            }
          } else if (random.nextBoolean()) {
            assertThat(table.drop(hash, pageId)).as("seed %d", seed).isEqualTo(frame);
            frames.remove(pageId);
          }
          if (step % 10 == 0) {
            checkAll(table, words, frames, hashes, seed);
          }
        }
      }
    }
  }

  private static int freeFrame(Map<Long, Integer> frames, Random random) {
    int frame = random.nextInt(FRAMES);
    while (frames.containsValue(frame)) {
      frame = (frame + 1) % FRAMES;
    }
    return frame;
  }

  private static void checkAll(
      PageTable table,
      FrameWords words,
      Map<Long, Integer> frames,
      Map<Long, Long> hashes,
      long seed) {
    for (long pageId = 1; pageId <= 60; pageId++) {
      int expected = frames.getOrDefault(pageId, PageTable.NONE);
      int found = table.pin(hashes.get(pageId), pageId, ReadIntent.QUERY_ONCE);
      if (found != expected) {
        assertThat(found).as("seed %d, page %d", seed, pageId).isEqualTo(expected);
      }
      if (found != PageTable.NONE) {
        words.unpin(found);
      }
    }
  }

  @Test
  void removingWhatIsNotThereIsABrokenInvariant() {
    try (FixedMemory fixed = new FixedMemory(CacheMemory.tableBytes(FRAMES))) {
      PageTable table = table(fixed, words(fixed));
      assertThatThrownBy(() -> table.remove(7, 3))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("not in the page table: frame 3");
    }
  }

  /** Sequential pages of sequential files are what real page ids are. */
  @Test
  void spreadsRealPageIds() {
    int[] shards = new int[16];
    int[] slots = new int[1024];
    for (long fileId = 1; fileId <= 64; fileId++) {
      for (long pageNo = 0; pageNo < 1024; pageNo++) {
        long hash = PageTable.hash(fileId << 32 | pageNo);
        shards[(int) (hash >>> 60)]++;
        slots[(int) ((hash & 0xffffffffL) >>> 22)]++;
      }
    }
    // 65536 ids: 4096 a shard, deviation 62; 64 a slot, deviation 8.
    assertThat(shards).satisfies(s -> assertAllBetween(s, 4096 - 6 * 62, 4096 + 6 * 62));
    assertThat(slots).satisfies(s -> assertAllBetween(s, 64 - 6 * 8, 64 + 6 * 8));
  }

  private static void assertAllBetween(int[] counts, int least, int most) {
    for (int count : counts) {
      assertThat(count).isBetween(least, most);
    }
  }
}
