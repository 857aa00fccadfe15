package org.loam.it.planted;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.engine.BulkLoad;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.it.Digits;

/**
 * A database that was closed in order, or whose process died, and bits that flip in its files
 * afterwards: what it then answers is right, or an exception.
 */
public final class DamageTrial implements LongConsumer {
  private static final int FLIPS = 30;
  private static final int TRIES = 1000;
  private static final byte[] LOADED = {1};

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .writeInitialBytes(256 << 10)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(256 << 10)
          .build();

  @Override
  public void accept(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<String, byte[]> content = new TreeMap<>();
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(() -> fill(sim, random, content, seed % 2 == 0));
      sim.crash(CrashKind.PROCESS_DEATH);
      for (int i = 0; i < FLIPS; i++) {
        SimDisk disk = sim.disk().copy();
        String where = flip(disk, random);
        try (Simulation damaged = Simulation.over(disk, seed)) {
          damaged.run(() -> check(damaged, content));
        } catch (Throwable t) {
          throw new AssertionError("seed " + seed + ", " + where + ": " + t.getMessage(), t);
        }
      }
    }
  }

  private static void fill(
      Simulation sim, SplittableRandom random, TreeMap<String, byte[]> content, boolean closes) {
    Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG);
    Tree tree = engine.createTree("main");
    Tree other = engine.createTree("other");
    for (int i = 0; i < 400; i++) {
      String key = Digits.of(random.nextInt(1000), 4);
      byte[] value = new byte[random.nextInt(20) == 0 ? 9000 : random.nextInt(300)];
      random.nextBytes(value);
      tree.put(key.getBytes(UTF_8), value);
      content.put(key, value);
      if (i % 150 == 149) {
        engine.flush();
      }
    }
    // Of what it holds the log has nothing; and what comes then says that the log so far counts.
    try (BulkLoad load = engine.createTree("loaded").bulkLoad()) {
      load.add(LOADED, LOADED);
      load.commit();
    }
    other.put(LOADED, LOADED);
    other.put(LOADED, LOADED);
    if (closes) {
      engine.close();
    }
  }

  private static String flip(SimDisk disk, SplittableRandom random) {
    List<Path> files = disk.files().stream().filter(f -> disk.read(f).length > 0).toList();
    Path file = files.get(random.nextInt(files.size()));
    byte[] bytes = disk.read(file);
    int offset = random.nextInt(bytes.length);
    // What is zero is mostly unused.
    for (int i = 0; i < TRIES && bytes[offset] == 0; i++) {
      offset = random.nextInt(bytes.length);
    }
    int bit = random.nextInt(Byte.SIZE);
    disk.flip(file, offset, 1 << bit);
    return "bit " + bit + " of byte " + offset + " of " + file;
  }

  private static void check(Simulation sim, TreeMap<String, byte[]> content) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
      Tree tree = engine.tree("main");
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        byte[] found = tree.get(entry.getKey().getBytes(UTF_8));
        require(Arrays.equals(found, entry.getValue()), "wrong value of " + entry.getKey());
      }
      int count = 0;
      try (Cursor cursor = tree.scan(ScanOptions.all())) {
        while (cursor.next()) {
          byte[] expected = content.get(new String(cursor.key(), UTF_8));
          require(Arrays.equals(cursor.value(), expected), "wrong value in a scan");
          count++;
        }
      }
      require(count == content.size(), count + " entries in a scan, not " + content.size());
      require(Arrays.equals(engine.tree("loaded").get(LOADED), LOADED), "what was loaded is gone");
    } catch (StorageException e) {
      // The damage was found; that is all we ask.
    }
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
