package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;

/** A process that loads records of 1 KB and reads them all, to be run with a small heap. */
public final class LoadMain {
  private static final int RECORDS = Integer.getInteger("loam.load.records", 60_000);

  private LoadMain() {}

  public static void main(String[] arguments) {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(512L << 20)
            .durability(Durability.PROCESS)
            .writeInitialBytes(32 << 20)
            .build();
    long begin = System.nanoTime();
    try (Engine engine = Engine.open(Path.of(arguments[0]), config)) {
      Tree tree = engine.createTree("t");
      byte[] value = new byte[1000];
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < RECORDS; i++) {
        random.nextBytes(value);
        tree.put(String.format("%016x", i * 0x9e3779b97f4a7c15L).getBytes(UTF_8), value);
      }
      int found = 0;
      try (Cursor cursor = tree.scan(ScanOptions.all())) {
        while (cursor.next()) {
          found += cursor.valueLength() == 1000 ? 1 : 0;
        }
      }
      if (found != RECORDS) {
        throw new AssertionError("found " + found + " of " + RECORDS);
      }
    }
    long gcMillis = 0;
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
      gcMillis += gc.getCollectionTime();
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    System.out.printf(
        "load: %d records of 1 KB, %d ms, GC %d ms, -Xmx %d MiB%n",
        RECORDS, millis, gcMillis, Runtime.getRuntime().maxMemory() >> 20);
  }
}
