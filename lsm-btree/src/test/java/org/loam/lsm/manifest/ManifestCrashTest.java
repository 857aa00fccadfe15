package org.loam.lsm.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;

/**
 * Crashes while a manifest is created, opened and written: what is read afterwards is the state
 * after some of the committed edits, in order, and after all that were acknowledged.
 */
@Tag("once")
class ManifestCrashTest {
  private final List<String> states = new ArrayList<>();

  /** Index of the state that was acknowledged last; -1 before the database was. */
  private int acknowledged = -1;

  private long crashes;

  @Test
  void whatIsReadIsAPrefixWithAllThatWasAcknowledged() {
    for (long seed = 1; seed <= 150; seed++) {
      states.clear();
      acknowledged = -1;
      try (Simulation sim = Simulation.seeded(seed)) {
        Random random = new Random(seed);
        for (int life = 0; life < 6; life++) {
          CrashKind kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
          boolean ended =
              sim.run(
                  () -> {
                    Manifest manifest = verify(sim);
                    sim.crashAtCall(1 + random.nextInt(50), kind);
                    work(manifest, random);
                  });
          crashes += ended ? 0 : 1;
          if (ended) {
            sim.crash(CrashKind.PROCESS_DEATH);
          }
        }
        sim.run(() -> verify(sim).close());
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
      }
    }
    assertThat(crashes).isGreaterThan(400);
  }

  /** Opens what is there, or begins anew where nothing was acknowledged. */
  private Manifest verify(Simulation sim) {
    if (!Manifest.exists(sim.env(), sim.directory())) {
      assertThat(acknowledged).as("acknowledged, but there is no manifest").isEqualTo(-1);
      return Manifest.create(sim.env(), sim.directory(), new DatabaseIdentity(1, 4096, 0));
    }
    Manifest manifest = Manifest.open(sim.env(), sim.directory());
    String found = Edits.describe(manifest);
    if (states.isEmpty()) {
      states.add(found);
    }
    int at = states.lastIndexOf(found);
    assertThat(at)
        .as("acknowledged %d of %d, read %s", acknowledged, states.size(), found)
        .isGreaterThanOrEqualTo(Math.max(0, acknowledged));
    // What was read may be an edit that was not forced: it counts when start has returned.
    states.subList(at + 1, states.size()).clear();
    return manifest;
  }

  private void work(Manifest manifest, Random random) {
    if (states.isEmpty()) {
      states.add(Edits.describe(manifest));
    }
    manifest.start();
    acknowledged = states.size() - 1;
    for (int i = 0; i < 30; i++) {
      ManifestEdit edit = manifest.read(s -> Edits.random(s, random, 4000));
      states.add(manifest.read(s -> after(s, edit)));
      manifest.commit(edit);
      acknowledged = states.size() - 1;
      assertThat(Edits.describe(manifest)).isEqualTo(states.get(acknowledged));
    }
    manifest.close();
  }

  private static String after(ManifestState state, ManifestEdit edit) {
    ManifestState copy = new ManifestState();
    copy.apply(state.snapshot(state.identity()));
    copy.apply(edit);
    return Edits.describe(copy);
  }
}
