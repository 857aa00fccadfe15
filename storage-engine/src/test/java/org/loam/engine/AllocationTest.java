package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;

/**
 * Writes and reads of single keys leave no garbage: they allocate only what the caller gets, and a
 * batch nothing. A write that waits, for room or for the force of the log, may allocate.
 */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int KEYS = 100;
  private static final int VALUE_BYTES = 104;

  /** An array has a header of 16 bytes, and its size is a multiple of 8. */
  private static final int VALUE_HEAP_BYTES = 16 + VALUE_BYTES;

  /** A page that write memory takes now and then is entered in a list, which may grow. */
  private static final int ROUNDS = 20;

  private static final EngineConfig CONFIG =
      EngineConfig.builder().memoryTotalBytes(64 << 20).durability(Durability.PROCESS).build();

  private final byte[][] keys = new byte[KEYS][];
  private final byte[] value = new byte[VALUE_BYTES];

  private interface Action {
    void run(byte[] key);
  }

  AllocationTest() {
    for (int i = 0; i < KEYS; i++) {
      keys[i] = String.format("key%03d", i).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** The bytes that this thread allocates for an action on each key, in the best of some rounds. */
  private long allocated(Action action) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (byte[] key : keys) {
        action.run(key);
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  private void requireNone(Tree tree) {
    assertThat(allocated(tree::delete)).as("deletes").isZero();
    assertThat(allocated(key -> tree.put(key, value))).as("puts").isZero();
  }

  private void requireValuesOnly(Tree tree) {
    byte[] target = new byte[VALUE_BYTES];
    assertThat(allocated(tree::get)).as("gets").isEqualTo((long) KEYS * VALUE_HEAP_BYTES);
    assertThat(allocated(key -> tree.get(key, target))).as("gets into an array").isZero();
  }

  /** Of two trees: while no gate holds writers, nothing is asked that needs to know its trees. */
  @Test
  void aBatchThatIsUsedAgainAllocatesNothing(@TempDir Path directory) {
    try (Engine engine = Engine.open(directory, CONFIG)) {
      Tree one = engine.createTree("one", TreeOptions.DEFAULT);
      Tree other = engine.createTree("other", TreeOptions.DEFAULT);
      WriteBatch batch = new WriteBatch();
      assertThat(
              allocated(
                  key -> {
                    batch.clear();
                    engine.write(batch.put(one, key, value).put(other, key, value));
                  }))
          .isZero();
    }
  }

  @Test
  void singleWritesAndReadsAllocateNothingButValues(@TempDir Path directory) {
    try (Engine engine = Engine.open(directory, CONFIG)) {
      Tree tree = engine.createTree("t", TreeOptions.DEFAULT);
      requireNone(tree);
      requireValuesOnly(tree);
      tree.compact();
      requireValuesOnly(tree);
    }
  }
}
