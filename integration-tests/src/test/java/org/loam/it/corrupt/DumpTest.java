package org.loam.it.corrupt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.log.recover.LogDump;
import org.loam.log.recover.LogDump.Expected;
import org.loam.lsm.disk.SSTableDump;
import org.loam.lsm.manifest.ManifestDump;
import org.loam.lsm.manifest.ManifestDump.ComponentState;
import org.loam.lsm.manifest.ManifestDump.State;

/**
 * Dumps of databases at rest show what is there, and of damaged ones what can be read and what is
 * wrong; they never fail, and change no byte.
 */
@Tag("once")
class DumpTest {
  /** One byte in so many is changed; prime, so that it meets every place of pages and blocks. */
  private static final int STRIDE = 41;

  /** All that can be dumped of a database. */
  private record Dumps(ManifestDump manifest, LogDump log, Map<Path, SSTableDump> tables) {
    List<String> damage() {
      List<String> all = new ArrayList<>(manifest.damage());
      all.addAll(log.damage());
      tables.values().forEach(table -> all.addAll(table.damage()));
      return all;
    }
  }

  private static Dumps dump(SimDisk disk) {
    Dumps[] dumps = new Dumps[1];
    Map<Path, byte[]> before = content(disk);
    try (Simulation sim = Simulation.over(disk, 7)) {
      sim.run(() -> dumps[0] = dump(sim));
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
    Map<Path, byte[]> after = content(disk);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach((file, bytes) -> assertThat(Arrays.equals(bytes, before.get(file))).isTrue());
    return dumps[0];
  }

  private static Map<Path, byte[]> content(SimDisk disk) {
    Map<Path, byte[]> content = new TreeMap<>();
    disk.files().forEach(file -> content.put(file, disk.read(file)));
    return content;
  }

  private static Dumps dump(Simulation sim) {
    ManifestDump manifest = ManifestDump.read(sim.env(), sim.directory());
    State state = manifest.state();
    Expected expected =
        state == null
            ? Expected.NOTHING
            : new Expected(
                Long.parseUnsignedLong(state.identity().databaseId(), 16),
                state.log().truncationLsn(),
                state.log().maxComponentLsn() + 1);
    Map<Path, SSTableDump> tables = new TreeMap<>();
    for (Path file : sim.disk().files()) {
      if (Victim.kind(file).equals("table")) {
        SSTableDump.Limits all = new SSTableDump.Limits(Long.MAX_VALUE, Long.MAX_VALUE);
        tables.put(file, SSTableDump.read(sim.env().files(), file, all));
      }
    }
    Path log = sim.directory().resolve("log");
    LogDump logDump = LogDump.read(sim.env().files(), log, expected, Long.MAX_VALUE);
    return new Dumps(manifest, logDump, tables);
  }

  // ---- Sound ones.

  @Test
  void whatIsThereIsShown() {
    for (Victim victim : Victim.all()) {
      Dumps dumps = dump(victim.disk().copy());
      assertThat(dumps.damage()).as(victim.name()).isEmpty();
      State state = dumps.manifest().state();
      if (state == null) {
        throw new AssertionError(victim.name() + ": no state");
      }
      assertThat(state.sealed()).isEqualTo(victim.name().equals("closed"));
      assertThat(state.trees()).extracting(t -> t.name()).containsExactly("main", "index");
      assertThat(dumps.manifest().tornTail()).isFalse();
      assertThat(dumps.manifest().edits().get(0).changes().get(0))
          .isEqualTo(
              "database "
                  + state.identity().databaseId()
                  + ", pages of 4096 bytes, feature bits 0");
      List<ComponentState> components =
          state.trees().stream().flatMap(tree -> tree.components().stream()).toList();
      assertThat(components).isNotEmpty();
      for (ComponentState component : components) {
        requireSame(component, dumps.tables());
      }
      requireLog(victim, dumps.log(), state);
    }
  }

  /** A file says of itself what the manifest says of it, and has the pages and entries. */
  private static void requireSame(ComponentState component, Map<Path, SSTableDump> tables) {
    SSTableDump table =
        tables.entrySet().stream()
            .filter(e -> e.getKey().endsWith(component.file()))
            .map(Map.Entry::getValue)
            .findAny()
            .orElseThrow();
    SSTableDump.Facts facts = table.footer();
    if (facts == null) {
      throw new AssertionError("no footer");
    }
    assertThat(component.sizeBytes()).isEqualTo(table.sizeBytes());
    assertThat(component.keys().minKey()).isEqualTo(facts.keys().minKey());
    assertThat(component.keys().maxKey())
        .isEqualTo(facts.keys().maxKey())
        .startsWith("[raw 0x")
        .contains("'");
    assertThat(component.lsns().maxLsn()).isEqualTo(facts.lsns().maxLsn());
    assertThat(table.entries()).hasSize((int) component.counts().entries());
    assertThat(table.entries())
        .filteredOn(e -> e.kind().equals("anti-matter"))
        .hasSize((int) component.counts().antiMatter());
    assertThat(table.entries().get(0).key()).isEqualTo(facts.keys().minKey());
    assertThat(table.pageList()).hasSize(facts.file().pageCount());
    assertThat(table.pages().get("leaf")).isEqualTo(facts.dataPages().leafPages());
    assertThat(table.pages().getOrDefault("overflow", 0))
        .isEqualTo(facts.dataPages().overflowPages());
    assertThat(table.pages().get("footer")).isEqualTo(1);
    assertThat(table.pages().values().stream().mapToInt(n -> n).sum())
        .isEqualTo(facts.file().pageCount());
  }

  private static void requireLog(Victim victim, LogDump log, State state) {
    assertThat(log.fromLsn()).isEqualTo(state.log().truncationLsn());
    assertThat(log.endLsn()).isGreaterThanOrEqualTo(log.fromLsn());
    assertThat(log.end()).startsWith(state.sealed() ? "closed in order" : "not closed: offset ");
    assertThat(log.segments()).anyMatch(s -> s.use().equals("live"));
    List<LogDump.Frame> batches =
        log.frames().stream()
            .filter(f -> f.type().equals("BATCH") && f.lsn() >= state.log().truncationLsn())
            .toList();
    if (state.sealed()) {
      assertThat(batches).isEmpty();
    } else {
      LogDump.Frame last = batches.get(batches.size() - 1);
      assertThat(last.operations()).as(victim.name()).containsOnlyKeys(1, 2);
      assertThat(last.operations()).containsValues(1L);
    }
    long frames = log.segments().stream().mapToLong(LogDump.Segment::frames).sum();
    assertThat(log.frames()).hasSize((int) frames);
  }

  // ---- Damaged ones.

  @Test
  void everyFlippedByteIsNamedOrDoesNotMatter() {
    int named = 0;
    for (Victim victim : Victim.all()) {
      Dumps sound = dump(victim.disk().copy());
      for (Path file : victim.disk().files()) {
        byte[] bytes = victim.disk().read(file);
        for (int at = 0; at < bytes.length; at += bytes[at] == 0 ? 7 * STRIDE : STRIDE) {
          int offset = at;
          Dumps dumps = damaged(victim, disk -> disk.flip(file, offset, 1 << offset % 8));
          boolean isNamed = !dumps.damage().isEmpty();
          named += isNamed ? 1 : 0;
          if (Victim.kind(file).equals("table")) {
            assertThat(isNamed).as("%s byte %d", file, offset).isTrue();
            assertThat(dumps.manifest()).isEqualTo(sound.manifest());
            assertThat(dumps.log()).isEqualTo(sound.log());
          } else if (Victim.kind(file).equals("manifest") && !isNamed) {
            assertThat(!dumps.manifest().equals(sound.manifest()) || bytes[offset] == 0)
                .as("%s byte %d", file, offset)
                .isTrue();
          }
        }
      }
    }
    assertThat(named).isGreaterThan(500);
  }

  @Test
  void cutAndLostFilesAreNamed() {
    for (Victim victim : Victim.all()) {
      for (Path file : victim.disk().files()) {
        String kind = Victim.kind(file);
        if (kind.equals("lock")) {
          continue;
        }
        int size = victim.disk().read(file).length;
        for (long length : List.of(0L, 100L, size / 2 & -4096L, size - 4096L)) {
          Dumps dumps = damaged(victim, disk -> disk.truncate(file, Math.max(0, length)));
          assertThat(dumps.damage()).as("%s cut to %d", file, length).isNotEmpty();
        }
        if (!kind.equals("table") && !kind.equals("log segment")) {
          assertThat(damaged(victim, disk -> disk.remove(file)).damage())
              .as("%s lost", file)
              .isNotEmpty();
        }
      }
    }
  }

  /** Without the file that names it, the newest manifest is shown all the same. */
  @Test
  void theNewestManifestIsShownIfNothingNamesIt() {
    Victim victim = Victim.all().get(0);
    Path current =
        victim.disk().files().stream()
            .filter(f -> Victim.kind(f).equals("current"))
            .findAny()
            .orElseThrow();
    Dumps dumps = damaged(victim, disk -> disk.flip(current, 17, 1));
    assertThat(dumps.damage()).hasSize(1).allMatch(d -> d.contains("current is damaged"));
    assertThat(dumps.manifest().state()).isEqualTo(dump(victim.disk().copy()).manifest().state());
  }

  /** Only the manifest says what of the log is needed: without one, no segment is missing. */
  @Test
  void withoutAManifestNoSegmentIsMissing() {
    int begunLater = 0;
    for (Victim victim : Victim.all()) {
      List<LogDump.Segment> sound = dump(victim.disk().copy()).log().segments();
      List<String> live =
          sound.stream().filter(s -> s.use().equals("live")).map(LogDump.Segment::file).toList();
      LogDump log =
          damaged(
                  victim,
                  disk -> {
                    for (Path file : disk.files()) {
                      if (Victim.kind(file).equals("manifest")) {
                        disk.truncate(file, 100);
                      } else if (Victim.kind(file).equals("log segment")
                          && live.stream().noneMatch(file::endsWith)) {
                        disk.remove(file);
                      }
                    }
                  })
              .log();
      assertThat(log.damage()).as(victim.name()).isEmpty();
      assertThat(log.segments()).extracting(LogDump.Segment::file).isEqualTo(live);
      assertThat(log.segments()).allMatch(s -> s.use().equals("unknown"));
      assertThat(log.fromLsn()).isEqualTo(-1);
      assertThat(log.endLsn()).isEqualTo(-1);
      begunLater += log.segments().get(0).sequence() > 1 ? 1 : 0;
    }
    assertThat(begunLater).isPositive();
  }

  /** The first frame of the segment is not needed; those from the truncation LSN on are listed. */
  @Test
  void damageThatNoReaderNeedsHidesNoFrames() {
    int hidden = 0;
    for (Victim victim : Victim.all()) {
      LogDump sound = dump(victim.disk().copy()).log();
      for (LogDump.Segment segment : sound.segments()) {
        long from = sound.fromLsn();
        if (segment.baseLsn() + 4096 < from && from < segment.framesEndLsn()) {
          Path file =
              victim.disk().files().stream()
                  .filter(f -> f.endsWith(segment.file()))
                  .findAny()
                  .orElseThrow();
          LogDump dump = damaged(victim, disk -> disk.flip(file, 4096 + 9, 1)).log();
          assertThat(dump.damage()).isEmpty();
          assertThat(dump.endLsn()).isEqualTo(sound.endLsn());
          assertThat(needed(dump)).isEqualTo(needed(sound)).isNotEmpty();
          hidden += sound.frames().size() - dump.frames().size();
        }
      }
    }
    assertThat(hidden).isPositive();
  }

  private static List<LogDump.Frame> needed(LogDump log) {
    return log.frames().stream().filter(f -> f.lsn() >= log.fromLsn()).toList();
  }

  private static Dumps damaged(Victim victim, Consumer<SimDisk> damage) {
    SimDisk disk = victim.disk().copy();
    damage.accept(disk);
    return dump(disk);
  }
}
