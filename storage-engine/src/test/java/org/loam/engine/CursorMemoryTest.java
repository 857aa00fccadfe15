package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Simulation;

/** What a cursor says of where its entries come from. */
class CursorMemoryTest {
  private final Simulation sim = Simulation.seeded(3);

  @AfterEach
  void close() {
    sim.close();
  }

  private interface Body {
    void run(Tree tree);
  }

  private void inTree(Body body) {
    sim.run(
        () -> {
          try (Engine engine =
              Engine.open(
                  sim.env(), sim.directory(), EngineSimulationTest.config(Durability.PROCESS))) {
            body.run(engine.createTree("t"));
          }
        });
  }

  private static void put(Tree tree, String keys) {
    for (String key : keys.split("")) {
      tree.put(key.getBytes(UTF_8), key.getBytes(UTF_8));
    }
  }

  /** The keys of a scan, those in memory as capitals. */
  private static String shown(Tree tree, ScanOptions options) {
    try (Cursor cursor = tree.scan(options)) {
      return rest(cursor);
    }
  }

  private static String rest(Cursor cursor) {
    StringBuilder shown = new StringBuilder();
    while (cursor.next()) {
      String key = new String(cursor.key(), UTF_8);
      shown.append(cursor.isInMemory() ? key.toUpperCase(Locale.ROOT) : key);
    }
    return shown.toString();
  }

  @Test
  void entriesAreInMemoryUntilTheyAreFlushed() {
    inTree(
        tree -> {
          put(tree, "bdf");
          assertThat(shown(tree, ScanOptions.all())).isEqualTo("BDF");
          tree.flush();
          assertThat(shown(tree, ScanOptions.all())).isEqualTo("bdf");
          put(tree, "ag");
          assertThat(shown(tree, ScanOptions.all())).isEqualTo("AbdfG");
          assertThat(shown(tree, ScanOptions.all().reverse())).isEqualTo("GfdbA");
          assertThat(shown(tree, ScanOptions.all().limit(2))).isEqualTo("Ab");
          put(tree, "hijklmnopqrstuvwxyz");
          assertThat(shown(tree, ScanOptions.all())).isEqualTo("AbdfGHIJKLMNOPQRSTUVWXYZ");
        });
  }

  @Test
  void aKeyWithAVersionInMemoryIsInMemoryWhateverIsOnDisk() {
    inTree(
        tree -> {
          put(tree, "abc");
          tree.flush();
          put(tree, "b");
          tree.delete("c".getBytes(UTF_8));
          assertThat(shown(tree, ScanOptions.all())).isEqualTo("aB");
          assertThat(shown(tree, ScanOptions.all().reverse())).isEqualTo("Ba");
        });
  }

  @Test
  void aVersionThatTheCursorMayNotShowDoesNotCount() {
    inTree(
        tree -> {
          put(tree, "ab");
          tree.flush();
          try (Cursor before = tree.scan(ScanOptions.all())) {
            put(tree, "bc");
            assertThat(rest(before)).isEqualTo("ab");
          }
          assertThat(shown(tree, ScanOptions.all())).isEqualTo("aBC");
        });
  }

  @Test
  void aCursorIsAtAnEntryBeforeItIsAsked() {
    inTree(
        tree -> {
          try (Cursor cursor = tree.scan(ScanOptions.all())) {
            assertThatThrownBy(cursor::isInMemory).isInstanceOf(IllegalStateException.class);
          }
        });
  }
}
