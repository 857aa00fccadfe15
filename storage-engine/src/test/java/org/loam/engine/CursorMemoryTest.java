package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Simulation;
import org.loam.engine.host.Found;
import org.loam.engine.host.HostCursor;
import org.loam.engine.host.HostScan;

/** What a cursor, and a lookup, say of where their entries come from. */
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
  private static String shown(Tree tree, HostScan options) {
    try (HostCursor cursor = tree.host().scan(options)) {
      return rest(cursor);
    }
  }

  private static String rest(HostCursor cursor) {
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
          assertThat(shown(tree, HostScan.all())).isEqualTo("BDF");
          tree.flush();
          assertThat(shown(tree, HostScan.all())).isEqualTo("bdf");
          put(tree, "ag");
          assertThat(shown(tree, HostScan.all())).isEqualTo("AbdfG");
          assertThat(shown(tree, HostScan.all().reverse())).isEqualTo("GfdbA");
          assertThat(shown(tree, HostScan.all().limit(2))).isEqualTo("Ab");
          put(tree, "hijklmnopqrstuvwxyz");
          assertThat(shown(tree, HostScan.all())).isEqualTo("AbdfGHIJKLMNOPQRSTUVWXYZ");
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
          assertThat(shown(tree, HostScan.all())).isEqualTo("aB");
          assertThat(shown(tree, HostScan.all().reverse())).isEqualTo("Ba");
        });
  }

  /** Where the lookups of keys found them: in memory, on disk, or not; in memory their delete. */
  private static String found(Tree tree, String keys) {
    StringBuilder places = new StringBuilder();
    for (String key : keys.split("")) {
      Found found = tree.host().find(key.getBytes(UTF_8));
      byte[] value = found.value();
      if (value != null) {
        assertThat(value).asString(UTF_8).isEqualTo(key);
      }
      places.append(found.isInMemory() ? value == null ? "-" : "M" : value == null ? "." : "D");
    }
    return places.toString();
  }

  @Test
  void aLookupSaysSoTooAndOfDeletes() {
    inTree(
        tree -> {
          put(tree, "abcd");
          tree.flush();
          put(tree, "bf");
          tree.delete("c".getBytes(UTF_8));
          tree.delete("f".getBytes(UTF_8));
          assertThat(found(tree, "abcdef")).isEqualTo("DM-D.-");
          tree.flush();
          assertThat(found(tree, "abcdef")).isEqualTo("DD.D..");
        });
  }

  @Test
  void aVersionThatTheCursorMayNotShowDoesNotCount() {
    inTree(
        tree -> {
          put(tree, "ab");
          tree.flush();
          try (HostCursor before = tree.host().scan(HostScan.all())) {
            put(tree, "bc");
            assertThat(rest(before)).isEqualTo("ab");
          }
          assertThat(shown(tree, HostScan.all())).isEqualTo("aBC");
        });
  }

  /** The keys of a scan, those of anti-matter after a minus. */
  private static String shownWithAntiMatter(Tree tree, HostScan options) {
    StringBuilder shown = new StringBuilder();
    try (HostCursor cursor = tree.host().scan(options.withAntiMatter())) {
      while (cursor.next()) {
        if (cursor.isAntiMatter()) {
          assertThat(cursor.isInMemory()).isTrue();
          assertThat(cursor.value()).isEmpty();
        }
        shown.append(cursor.isAntiMatter() ? "-" : "").append(new String(cursor.key(), UTF_8));
      }
    }
    return shown.toString();
  }

  private static void delete(Tree tree, String keys) {
    for (String key : keys.split("")) {
      tree.delete(key.getBytes(UTF_8));
    }
  }

  @Test
  void antiMatterShowsWhereItIsWantedAsLongAsItIsInMemory() {
    inTree(
        tree -> {
          put(tree, "abcdef");
          tree.flush();
          delete(tree, "ceg");
          HostScan all = HostScan.all();
          assertThat(shown(tree, all)).isEqualTo("abdf");
          assertThat(shownWithAntiMatter(tree, all)).isEqualTo("ab-cd-ef-g");
          assertThat(shownWithAntiMatter(tree, all.reverse())).isEqualTo("-gf-ed-cba");
          assertThat(shownWithAntiMatter(tree, all.limit(3))).isEqualTo("ab-c");
          assertThat(shownWithAntiMatter(tree, all.from("d".getBytes(UTF_8)))).isEqualTo("d-ef-g");
          put(tree, "c");
          assertThat(shownWithAntiMatter(tree, all)).isEqualTo("abcd-ef-g");
          tree.flush();
          assertThat(shownWithAntiMatter(tree, all)).isEqualTo("abcdf");
        });
  }

  @Test
  void antiMatterOfALaterMomentDoesNotShow() {
    inTree(
        tree -> {
          put(tree, "ab");
          try (HostCursor before = tree.host().scan(HostScan.all().withAntiMatter())) {
            delete(tree, "a");
            assertThat(rest(before)).isEqualTo("AB");
          }
        });
  }

  @Test
  void aCursorIsAtAnEntryBeforeItIsAsked() {
    inTree(
        tree -> {
          try (HostCursor cursor = tree.host().scan(HostScan.all())) {
            assertThatThrownBy(cursor::isInMemory).isInstanceOf(IllegalStateException.class);
          }
        });
  }
}
