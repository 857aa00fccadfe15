package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * A process that writes records of 1 KB until its log has 1 GiB, all of it still needed, and dies.
 */
public final class LongLogMain {
  /** Memory for all of it, so that nothing is flushed. */
  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(3L << 30)
          .writeInitialBytes(9L << 28)
          .logMaxBytes(2L << 30)
          .durability(Durability.PROCESS)
          .build();

  private static final long LOG_BYTES = 1L << 30;

  private LongLogMain() {}

  public static void main(String[] arguments) {
    Engine engine = Engine.open(Path.of(arguments[0]), CONFIG);
    Tree tree = engine.createTree("t");
    byte[] value = new byte[1000];
    SplittableRandom random = new SplittableRandom(1);
    int records = 0;
    while (records % 1000 != 0 || engine.statistics().log().lengthBytes() < LOG_BYTES) {
      random.nextBytes(value);
      tree.put(String.format("%016x", records * 0x9e3779b97f4a7c15L).getBytes(UTF_8), value);
      records++;
    }
    System.out.println(records + " " + engine.statistics().work().flushes());
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
