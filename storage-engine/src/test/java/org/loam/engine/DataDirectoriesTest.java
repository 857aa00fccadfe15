package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.quiet.QuietLog;
import org.loam.engine.report.VerifyReport;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.ManifestDump;

/** Trees in several data directories: which is which, and what is refused at open. */
@Tag("once")
@ExtendWith(QuietLog.class)
class DataDirectoriesTest {
  private static final int KEYS = 300;

  @TempDir Path temporary;

  private static EngineConfig config() {
    return EngineSimulationTest.config(Durability.PROCESS);
  }

  private Path main() {
    return temporary.resolve("main");
  }

  private Path disk(int i) {
    return temporary.resolve("mounts").resolve("disk" + i);
  }

  private Engine open(Path... additional) {
    return openIn(main(), additional);
  }

  private static Engine openIn(Path main, Path... additional) {
    return Engine.open(main, config(), OpenOptions.DEFAULT.withDirectories(List.of(additional)));
  }

  private void inEngine(Consumer<Engine> work, Path... additional) {
    try (Engine engine = open(additional)) {
      work.accept(engine);
    }
  }

  private static void refused(ThrowingCallable call, String... told) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(told);
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static Tree create(Engine engine, String name, int directory) {
    return engine.createTree(name, TreeOptions.DEFAULT.inDirectory(directory));
  }

  private static void fill(Tree tree) {
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), new byte[500]);
    }
  }

  private static void check(Tree tree) {
    int count = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        assertThat(cursor.key()).isEqualTo(key(count));
        assertThat(tree.get(key(count))).hasSize(500);
        count++;
      }
    }
    assertThat(count).isEqualTo(KEYS);
  }

  private static List<Path> tables(Path directory) {
    try (var files = Files.list(directory)) {
      return files.filter(p -> p.toString().endsWith(".sst")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A database with a tree in each of three directories. */
  private void createThree() {
    inEngine(
        engine -> {
          assertThat(engine.directories().keySet()).containsExactly(0, 1, 2);
          assertThat(engine.directories().values()).containsExactly(main(), disk(1), disk(2));
          fill(create(engine, "near", 0));
          fill(create(engine, "far", 1));
          try (BulkLoad load = create(engine, "loaded", 2).bulkLoad()) {
            for (int i = 0; i < KEYS; i++) {
              load.add(key(i), new byte[500]);
            }
            load.commit();
          }
        },
        disk(1),
        disk(2));
  }

  private void checkThree(Engine engine) {
    check(engine.tree("near"));
    check(engine.tree("far"));
    check(engine.tree("loaded"));
    assertThat(engine.tree("near").directory()).isZero();
    assertThat(engine.tree("far").directory()).isEqualTo(1);
    assertThat(engine.tree("loaded").directory()).isEqualTo(2);
    assertThat(engine.verify().findings()).isEmpty();
  }

  // ---- Where trees live.

  @Test
  void tablesAreWhereTheirTreeWasCreated() {
    createThree();
    assertThat(tables(main().resolve("data"))).isNotEmpty();
    assertThat(tables(disk(1))).isNotEmpty();
    assertThat(tables(disk(2))).hasSizeGreaterThan(1);
    inEngine(
        engine -> {
          checkThree(engine);
          for (String name : List.of("near", "far", "loaded")) {
            engine.tree(name).delete(key(0));
            engine.tree(name).compact();
            engine.tree(name).put(key(0), new byte[500]);
            engine.tree(name).flush();
          }
          checkThree(engine);
          assertThat(tables(disk(1))).hasSizeGreaterThan(1);
          engine.dropTree("far");
          assertThat(tables(disk(1))).isEmpty();
        },
        disk(1),
        disk(2));
  }

  @Test
  void theyAreRecognisedInAnotherOrderAndPlace() throws IOException {
    createThree();
    Path moved = temporary.resolve("elsewhere");
    Files.move(disk(1), moved);
    inEngine(
        engine -> {
          checkThree(engine);
          assertThat(engine.directories().values()).containsExactly(main(), moved, disk(2));
          assertThat(engine.recovery().cleanlyClosed()).isTrue();
        },
        disk(2),
        moved);
    inEngine(
        engine -> {
          checkThree(engine);
          // A new one gets the next number, wherever it is named.
          assertThat(engine.directories().get(3)).isEqualTo(disk(3));
        },
        disk(3),
        disk(2),
        moved);
  }

  @Test
  void olderBuildsCanOpenTheDatabaseUntilItHasAnotherDirectory() {
    inEngine(engine -> fill(create(engine, "near", 0)));
    ManifestDump before = ManifestDump.read(RealEnv.create(), main());
    assertThat(before.state().identity().featureBits()).isZero();
    inEngine(engine -> check(engine.tree("near")));
    inEngine(engine -> fill(create(engine, "far", 1)), disk(1));
    ManifestDump after = ManifestDump.read(RealEnv.create(), main());
    assertThat(after.state().identity().featureBits()).isEqualTo(DatabaseIdentity.DIRECTORIES);
    assertThat(after.state().trees())
        .extracting(ManifestDump.TreeState::directory)
        .containsExactly(0, 1);
    assertThat(after.edits().toString())
        .contains("a new data directory gets number 2 or a higher one")
        .contains("tree 2 lives in data directory 1");
  }

  @Test
  void whatAManifestDoesNotNameIsDeletedInAllOfThem() throws IOException {
    createThree();
    for (Path directory : List.of(main().resolve("data"), disk(1), disk(2))) {
      Files.write(directory.resolve("00000999.sst"), new byte[4096]);
    }
    Files.write(disk(2).resolve("00009999.sst"), new byte[4096]);
    // Of another directory's tree: a file that was copied.
    Files.copy(tables(disk(1)).get(0), disk(2).resolve(tables(disk(1)).get(0).getFileName()));
    inEngine(
        engine -> {
          assertThat(engine.recovery().orphansDeleted()).isEqualTo(5);
          checkThree(engine);
          // Ids go on above those of the files that were there; the old table may still be there.
          engine.tree("near").compact();
          assertThat(tables(main().resolve("data")))
              .extracting(table -> table.getFileName().toString())
              .anyMatch(name -> name.compareTo("00009999.sst") > 0);
        },
        disk(1),
        disk(2));
  }

  @Test
  void verifyNamesADamagedFileInAnyOfThem() throws IOException {
    createThree();
    Path table = tables(disk(1)).get(0);
    byte[] bytes = Files.readAllBytes(table);
    bytes[5000] ^= 1;
    Files.write(table, bytes);
    inEngine(
        engine -> {
          List<VerifyReport.Finding> findings = engine.verify().findings();
          assertThat(findings).isNotEmpty();
          assertThat(findings.get(0).place()).isEqualTo(table.toString());
        },
        disk(1),
        disk(2));
  }

  // ---- What is refused.

  @Test
  void oneThatTreesLiveInMustBeNamed() {
    createThree();
    refused(
        () -> open(disk(1)),
        "data directory 2 of the database in " + main() + " is missing",
        "live: loaded;",
        "OpenOptions.withDirectories");
    refused(() -> open(), "data directory 1", "live: far");
    Path unmounted = disk(7);
    refused(() -> open(disk(1), unmounted), "data directory 2", unmounted + " has no file named");
    assertThat(unmounted).as("nothing is written before all fits").doesNotExist();
    inEngine(this::checkThree, disk(1), disk(2));
    inEngine(engine -> engine.dropTree("loaded"), disk(1), disk(2));
    // No tree lives in the second any more.
    inEngine(engine -> check(engine.tree("far")), disk(1));
  }

  @Test
  void oneOfAnotherDatabaseIsRefused() {
    createThree();
    Path second = temporary.resolve("second");
    refused(
        () -> openIn(second, disk(1)),
        "data directory " + disk(1) + " belongs to another database than the one in " + second,
        "name a directory of this database, or an empty one");
    openIn(second, disk(5)).close();
    refused(() -> open(disk(1), disk(2), disk(5)), "data directory " + disk(5) + " belongs");
    refused(() -> open(disk(1), disk(2), second), second.toString(), "not empty: there is");
    inEngine(this::checkThree, disk(1), disk(2));
  }

  /** Both would be named by one number, and the trees of one be looked for in the other. */
  @Test
  void aNumberIsNotGivenTwice() {
    open(disk(1)).close();
    inEngine(engine -> fill(create(engine, "far", 2)), disk(2));
    for (int i = 0; i < 2; i++) {
      inEngine(
          engine -> {
            assertThat(engine.directories()).containsEntry(1, disk(1)).containsEntry(2, disk(2));
            check(engine.tree("far"));
          },
          disk(2),
          disk(1));
    }
    refused(() -> open(disk(1)), "data directory 2", "live: far");
  }

  /** The other directories are still looked at. */
  @Test
  void oneThatIsGoneIsAFaultOfTheHealth() {
    Path device = temporary.resolve("device");
    inEngine(
        engine -> {
          assertThat(engine.health().isSound()).isTrue();
          move(device, temporary.resolve("unplugged"));
          EngineHealth health = engine.health();
          assertThat(health.isSound()).isFalse();
          assertThat(health.disks().get(0).freeBytes()).isPositive();
          EngineHealth.Disk gone = health.disks().get(1);
          assertThat(gone.freeBytes()).isEqualTo(-1);
          assertThat(gone.isFull()).isFalse();
          assertThat(gone.fault()).contains(gone.directory(), "does not exist");
        },
        device.resolve("loam"));
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void oneNamedTwiceIsRefused() throws IOException {
    Path again = disk(1).resolve("..").resolve("disk1");
    refused(() -> open(disk(1), again), again + " is named twice");
    createThree();
    refused(
        () -> open(disk(2), disk(1), again),
        disk(1).toString(),
        again.toString(),
        "both number 1",
        "name each one once");
    Path copy = temporary.resolve("copy");
    Files.createDirectories(copy);
    Files.copy(disk(1).resolve("identity"), copy.resolve("identity"));
    refused(() -> open(copy, disk(1), disk(2)), copy.toString(), "both number 1", "a copy of it");
    inEngine(this::checkThree, disk(1), disk(2));
  }

  @Test
  void aNewOneMustBeEmptyButForWhatADeviceHas() throws IOException {
    Files.createDirectories(disk(1).resolve("lost+found"));
    Files.write(disk(1).resolve("identity.tmp"), new byte[100]);
    open(disk(1)).close();
    Files.createDirectories(disk(2));
    Files.write(disk(2).resolve("letter.txt"), new byte[1]);
    refused(
        () -> open(disk(1), disk(2)),
        "data directory " + disk(2),
        "not empty: there is letter.txt",
        "name an empty directory");
    refused(() -> open(disk(1), main().resolve("data").resolve("..")), "not empty: there is");
  }

  @Test
  void aTreeIsCreatedInADirectoryThatThereIs() {
    inEngine(
        engine -> {
          refused(
              () -> create(engine, "t", 2),
              "no data directory 2",
              "0 (" + main() + "), 1 (" + disk(1) + ")",
              "OpenOptions.withDirectories");
          assertThat(engine.hasTree("t")).isFalse();
        },
        disk(1));
    refused(() -> TreeOptions.DEFAULT.inDirectory(-1), "directory is -1", "at least 0");
    refused(() -> OpenOptions.DEFAULT.withDirectories(null), "directories is null");
  }

  @Test
  void aDamagedIdentityIsNamed() throws IOException {
    createThree();
    Path identity = disk(1).resolve("identity");
    byte[] good = Files.readAllBytes(identity);
    for (int i = 0; i < 24; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      Files.write(identity, bad);
      assertThatThrownBy(() -> open(disk(1), disk(2)))
          .isInstanceOfAny(CorruptionException.class, UnsupportedFormatException.class)
          .hasMessageContaining(identity.toString());
    }
    Files.write(identity, new byte[10]);
    assertThatThrownBy(() -> open(disk(1), disk(2))).isInstanceOf(CorruptionException.class);
    Files.write(identity, good);
    inEngine(this::checkThree, disk(1), disk(2));
  }
}
