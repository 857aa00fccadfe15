package org.loam.it.history;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Tree;

/**
 * Counters that all clients increment by compare-and-put: each has as many as there were successes.
 */
final class Counters {
  static final String TREE = "counters";

  private static final int COUNT = 3;

  private final AtomicLongArray successes = new AtomicLongArray(COUNT);

  /** Successes, and tries that may become one. */
  private final AtomicLongArray tries = new AtomicLongArray(COUNT);

  /** Increments a counter once unless others come first. */
  void increment(Tree tree, RandomGenerator random) {
    int counter = random.nextInt(COUNT);
    byte[] key = key(counter);
    byte[] expected = get(tree, counter);
    byte[] next = ByteBuffer.allocate(8).putLong(number(expected) + 1).array();
    tries.incrementAndGet(counter);
    if (tree.compareAndPut(key, expected, next)) {
      successes.incrementAndGet(counter);
      return;
    }
    tries.decrementAndGet(counter);
    long now = number(get(tree, counter));
    if (now <= number(expected)) {
      throw new HistoryError(
          "counter " + counter + " was not " + number(expected) + ", and then shows " + now);
    }
  }

  private byte @Nullable [] get(Tree tree, int counter) {
    long least = successes.get(counter);
    byte[] value = tree.get(key(counter));
    long most = tries.get(counter);
    long shown = number(value);
    if (shown < least || shown > most) {
      throw new HistoryError(
          "counter " + counter + " shows " + shown + ", must be in " + least + ".." + most);
    }
    return value;
  }

  /** Checks all when the increments have ended; what was in doubt is known then. */
  void verify(Tree tree) {
    for (int i = 0; i < COUNT; i++) {
      long shown = number(get(tree, i));
      successes.set(i, shown);
      tries.set(i, shown);
    }
  }

  private static byte[] key(int counter) {
    return ("counter " + counter).getBytes(US_ASCII);
  }

  private static long number(byte @Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }
}
