package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;
import org.loam.it.model.Ledger.WrongAnswer;

/**
 * What a writer writes, as a function of its number and that of the batch alone: so writer and
 * verifier can be different processes that share nothing but acknowledgements.
 */
final class AckedHistory {
  static final String TREE = "acked";
  static final int WRITERS = 2;

  private static final int KEYS = 300;

  private AckedHistory() {}

  private static byte[] key(int writer, int key) {
    return (writer + "/" + key).getBytes(UTF_8);
  }

  private static byte[] numberKey(int writer) {
    return (writer + "#").getBytes(UTF_8);
  }

  private static int keyOf(long batch, int place) {
    return (int) Math.floorMod(batch * 7919 + place * 31L, (long) KEYS);
  }

  /** The value at a place of a batch; null deletes. */
  private static byte @Nullable [] value(int writer, long batch, int place) {
    SplittableRandom random = new SplittableRandom(writer * 1_000_003L + batch * 17 + place);
    if (random.nextInt(6) == 0) {
      return null;
    }
    byte[] value = new byte[random.nextInt(30) == 0 ? 6000 : random.nextInt(500)];
    random.nextBytes(value);
    return value;
  }

  private static int places(long batch) {
    return batch % 10 == 0 ? 5 : 1;
  }

  /** Batch {@code batch}, from 1, of a writer. */
  static WriteBatch batch(Tree tree, int writer, long batch) {
    WriteBatch write = new WriteBatch();
    for (int place = 0; place < places(batch); place++) {
      byte[] key = key(writer, keyOf(batch, place));
      byte[] value = value(writer, batch, place);
      if (value == null) {
        write.delete(tree, key);
      } else {
        write.put(tree, key, value);
      }
    }
    return write.put(tree, numberKey(writer), Long.toString(batch).getBytes(UTF_8));
  }

  /** Number of the last batch of a writer that an engine has. */
  static long last(Engine engine, int writer) {
    if (!engine.hasTree(TREE)) {
      return 0;
    }
    byte[] stored = engine.tree(TREE).get(numberKey(writer));
    return stored == null ? 0 : Long.parseLong(new String(stored, UTF_8));
  }

  /**
   * Checks that an engine has exactly a prefix of each writer's batches.
   *
   * @param acknowledged the batches it must have, of each writer; at most one more may be there
   * @return the batches it has
   */
  static long[] verify(Engine engine, long[] acknowledged) {
    return verify(engine, acknowledged, acknowledged);
  }

  /**
   * The same where acknowledged batches may be lost.
   *
   * @param kept the batches it must have, of each writer
   */
  static long[] verify(Engine engine, long[] kept, long[] acknowledged) {
    long[] found = new long[WRITERS];
    for (int writer = 0; writer < WRITERS; writer++) {
      long last = last(engine, writer);
      if (last < kept[writer] || last > acknowledged[writer] + 1) {
        throw new WrongAnswer(
            String.format(
                "writer %d: to be kept %d, acknowledged %d, found %d",
                writer, kept[writer], acknowledged[writer], last));
      }
      if (engine.hasTree(TREE)) {
        compare(engine.tree(TREE), writer, last);
      }
      found[writer] = last;
    }
    return found;
  }

  private static void compare(Tree tree, int writer, long last) {
    TreeMap<String, byte[]> content = new TreeMap<>();
    // The first places of so many batches in a row are all of the keys.
    for (long batch = Math.max(1, last - KEYS + 1); batch <= last; batch++) {
      for (int place = 0; place < places(batch); place++) {
        String key = new String(key(writer, keyOf(batch, place)), UTF_8);
        byte[] value = value(writer, batch, place);
        if (value == null) {
          content.remove(key);
        } else {
          content.put(key, value);
        }
      }
    }
    String prefix = writer + "/";
    try (Cursor cursor = tree.scan(ScanOptions.all().prefix(prefix.getBytes(UTF_8)))) {
      org.loam.it.model.Ledger.compare("writer " + writer + ", batch " + last, cursor, content);
    }
  }
}
