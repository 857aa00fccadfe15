package org.loam.workbench.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.workbench.console.ChildJvm;

/**
 * An engine in a process of its own, which reads and writes until its parent ends. It leaves most
 * of a processor to others, and flushes every few seconds.
 */
public final class BusyEngine {
  private static final int KEYS = 60_000;
  private static final int STEPS_BETWEEN_RESTS = 20;
  private static final long REST_NANOS = 1_000_000;

  private BusyEngine() {}

  /**
   * Prints a line when the engine is open.
   *
   * @param arguments the directory
   */
  public static void main(String... arguments) {
    ChildJvm.endWithParent();
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(4096)
            .durability(Durability.PROCESS)
            .writeInitialBytes(8 << 20)
            .logSegmentBytes(1 << 20)
            .logMaxBytes(64 << 20)
            .tunerMode(TunerMode.ADAPTIVE)
            .tunerCycleSeconds(2)
            .build();
    try (Engine engine = Engine.open(Path.of(arguments[0]), config)) {
      String[] names = {"orders", "lines", "customers"};
      Tree[] trees = new Tree[names.length];
      for (int i = 0; i < names.length; i++) {
        trees[i] = engine.createTree(names[i]);
      }
      System.out.println("open");
      SplittableRandom random = new SplittableRandom(1);
      for (long step = 0; true; step++) {
        // The first tree has half of the writes, and all keys are read alike.
        Tree tree = trees[random.nextInt(2) == 0 ? 0 : random.nextInt(trees.length)];
        tree.put(key(random.nextInt(KEYS)), new byte[400]);
        trees[random.nextInt(trees.length)].get(key(random.nextInt(KEYS)));
        if (step % STEPS_BETWEEN_RESTS == 0) {
          LockSupport.parkNanos(REST_NANOS);
        }
      }
    }
  }

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "%08d", i).getBytes(UTF_8);
  }
}
