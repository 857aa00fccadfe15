package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.WriteBatch;
import org.loam.it.Digits;

/**
 * A database that crashed, and a recovery that crashes again: at its first I/O call, at its second,
 * and so on to its end, each time from the same disk. Or its first force fails, its second, and so
 * on; another recovery follows on the same machine, and power is lost during that. Every
 * acknowledged batch is there afterwards.
 */
public final class RecoveryTrial implements LongConsumer {
  private static final int KEYS = 50;
  private static final List<String> TREES = List.of("main", "index");

  private EngineConfig config = config(Durability.SYNC);

  /** The last batch that survives the death of the process. */
  private int acknowledged;

  /** The last batch that survives power loss. */
  private int forced;

  private int crashes;

  /** Crashes of all seeds so far. */
  int crashes() {
    return crashes;
  }

  private static EngineConfig config(Durability durability) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(durability)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(256 << 10)
        .sstableBytes(64 << 10)
        .build();
  }

  @Override
  public void accept(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    config = config(seed % 3 == 0 ? Durability.PROCESS : Durability.SYNC);
    acknowledged = 0;
    forced = 0;
    CrashKind first = kind(random);
    try (Simulation sim = Simulation.seeded(seed)) {
      boolean ended =
          sim.run(
              () -> {
                Engine engine = Engine.open(sim.env(), sim.directory(), config);
                TREES.forEach(engine::createTree);
                sim.crashAtStep(3000 + random.nextInt(9000), first);
                work(engine, random);
              });
      if (!ended) {
        crashes++;
      } else {
        sim.crash(CrashKind.PROCESS_DEATH);
      }
      if (!ended && first == CrashKind.POWER_LOSS) {
        acknowledged = forced;
      }
      int calls = 1;
      while (recoverAndCrash(sim.disk().copy(), seed, calls, kind(random))) {
        crashes++;
        calls++;
      }
      for (int force = 1; ; force++) {
        int call = 1 + random.nextInt(calls);
        if (!failAndLosePower(sim.disk().copy(), seed, force, call)) {
          break;
        }
        crashes++;
      }
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }

  private static CrashKind kind(SplittableRandom random) {
    return random.nextInt(3) == 0 ? CrashKind.PROCESS_DEATH : CrashKind.POWER_LOSS;
  }

  /** Batch n sets key n modulo the number of keys, in both trees, to n and a filling. */
  private void work(Engine engine, SplittableRandom random) {
    for (int n = 1; n <= 1000; n++) {
      byte[] value = (n + " " + "x".repeat(random.nextInt(400))).getBytes(UTF_8);
      WriteBatch batch = new WriteBatch();
      for (String tree : TREES) {
        batch.put(engine.tree(tree), Digits.of(n % KEYS, 2).getBytes(UTF_8), value);
      }
      engine.write(batch);
      acknowledged = n;
      boolean flushes = random.nextInt(150) == 0;
      if (flushes) {
        engine.flush();
      }
      if (flushes || config.log().durability() == Durability.SYNC) {
        forced = n;
      }
    }
  }

  /** Returns false if the recovery ended before that call. */
  private boolean recoverAndCrash(SimDisk disk, long seed, int call, CrashKind kind) {
    try (Simulation sim = Simulation.over(disk, seed + 1_000_000L * call)) {
      boolean ended =
          sim.run(
              () -> {
                sim.crashAtCall(call, kind);
                Engine.open(sim.env(), sim.directory(), config);
              });
      sim.crash(CrashKind.PROCESS_DEATH);
      boolean again = kind == CrashKind.PROCESS_DEATH && call % 2 == 0;
      if (again) {
        losePower(sim, 1 + call / 2);
      }
      boolean mayLose = again || kind == CrashKind.POWER_LOSS;
      sim.run(() -> verify(sim, mayLose ? forced : acknowledged));
      return !ended;
    } catch (Throwable t) {
      throw new AssertionError("recovery, call " + call + ", " + kind + ": " + t.getMessage(), t);
    }
  }

  /**
   * The second recovery reads from the page cache what the failed force may have kept from the
   * disk. Returns false if the recovery has no such force.
   */
  private boolean failAndLosePower(SimDisk disk, long seed, int force, int call) {
    try (Simulation sim = Simulation.over(disk, seed + 1_000_003L * force)) {
      sim.faults()
          .add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.FORCE, IoKind.FORCE_DIRECTORY).nth(force));
      sim.run(() -> tryOpen(sim));
      boolean failed = sim.faults().fired() > 0;
      sim.faults().clear();
      sim.crash(CrashKind.PROCESS_DEATH);
      losePower(sim, call);
      sim.run(() -> verify(sim, forced));
      return failed;
    } catch (Throwable t) {
      throw new AssertionError(
          "recovery, force " + force + ", then call " + call + ": " + t.getMessage(), t);
    }
  }

  /** Another recovery, in which power is lost, or right after it. */
  private void losePower(Simulation sim, int call) {
    sim.run(
        () -> {
          sim.crashAtCall(call, CrashKind.POWER_LOSS);
          Engine.open(sim.env(), sim.directory(), config);
        });
    sim.crash(CrashKind.POWER_LOSS);
  }

  private void tryOpen(Simulation sim) {
    try {
      Engine.open(sim.env(), sim.directory(), config);
    } catch (StorageException e) {
      // The failed force.
    }
  }

  private void verify(Simulation sim, int required) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
      int last = 0;
      TreeMap<String, byte[]> content = new TreeMap<>();
      try (Cursor cursor = engine.tree(TREES.get(0)).scan(ScanOptions.all())) {
        while (cursor.next()) {
          content.put(new String(cursor.key(), UTF_8), cursor.value());
          last = Math.max(last, numberOf(cursor.value()));
        }
      }
      Check.that(last >= required, "lost: batch " + required + ", found " + last);
      Check.that(content.size() == Math.min(last, KEYS), content.size() + " keys after " + last);
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        int number = numberOf(entry.getValue());
        boolean fits = number % KEYS == Integer.parseInt(entry.getKey());
        Check.that(
            fits && number > last - KEYS, "key " + entry.getKey() + " is at batch " + number);
      }
      try (Cursor cursor = engine.tree(TREES.get(1)).scan(ScanOptions.all())) {
        Check.entries("the other tree", cursor, content);
      }
    }
  }

  private static int numberOf(byte[] value) {
    String text = new String(value, UTF_8);
    return Integer.parseInt(text.substring(0, text.indexOf(' ')));
  }
}
