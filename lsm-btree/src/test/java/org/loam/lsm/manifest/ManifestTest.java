package org.loam.lsm.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.ThreadlessFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageIoException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestEdit.Truncate;

/** The manifest on a simulated disk: what counts, what is refused, what a fault leaves. */
class ManifestTest {
  private static final DatabaseIdentity IDENTITY = new DatabaseIdentity(42, 4096, 0);

  private static Manifest create(Simulation sim) {
    Manifest manifest = Manifest.create(sim.env(), sim.directory(), IDENTITY);
    manifest.start();
    return manifest;
  }

  private static Path file(Simulation sim, long number) {
    return ManifestFile.path(sim.directory(), number);
  }

  private static ManifestEdit tree(int id) {
    return ManifestEdit.of(new CreateTree(id, "t" + id, 0));
  }

  @Test
  void whatWasCommittedIsReadOverManyFiles() {
    try (Simulation sim = Simulation.seeded(1)) {
      Random random = new Random(1);
      Manifest manifest = create(sim);
      for (int i = 0; i < 600; i++) {
        manifest.commit(manifest.read(s -> Edits.random(s, random, 500)));
        if (i % 40 == 0) {
          String before = Edits.describe(manifest);
          boolean sealed = manifest.read(ManifestState::sealed);
          manifest.close();
          manifest = Manifest.open(sim.env(), sim.directory());
          assertThat(Edits.describe(manifest)).isEqualTo(before);
          assertThat(manifest.read(ManifestState::sealed)).isEqualTo(sealed);
          manifest.start();
          assertThat(Edits.describe(manifest)).isEqualTo(before);
        }
      }
      assertThat(manifest.fileNumber()).as("files begun").isGreaterThan(15);
      assertThat(sim.disk().files())
          .containsExactlyInAnyOrder(
              file(sim, manifest.fileNumber()), CurrentFile.path(sim.directory()));
      manifest.close();
    }
  }

  /** Tables with the longest keys make edits far larger than a usual file. */
  @Test
  void anEditMayBeLargerThanTheFile() {
    try (Simulation sim = Simulation.seeded(2)) {
      Manifest manifest = create(sim);
      manifest.commit(tree(1));
      List<ComponentRecord> added = new ArrayList<>();
      for (int i = 1; i <= 40; i++) {
        added.add(Edits.component(i, 8192));
      }
      manifest.commit(
          ManifestEdit.of(new ReserveIds(41, 0), new ReplaceComponents(1, List.of(), added, 500)));
      String committed = Edits.describe(manifest);
      manifest.close();
      Manifest reopened = Manifest.open(sim.env(), sim.directory());
      assertThat(Edits.describe(reopened)).isEqualTo(committed);
      reopened.close();
    }
  }

  /** So that a build which does not know descriptions says so, instead of a damaged file. */
  @Test
  void aFirstDescriptionBeginsAFileWithItsFeature() {
    try (Simulation sim = Simulation.seeded(9)) {
      Manifest manifest = create(sim);
      manifest.commit(tree(1));
      long before = manifest.fileNumber();
      assertThat(features(sim, before)).isZero();
      manifest.commit(ManifestEdit.of(new DescribeTree(1, "index of t")));
      assertThat(manifest.fileNumber()).isEqualTo(before + 1);
      assertThat(features(sim, before + 1)).isEqualTo(DatabaseIdentity.DESCRIPTIONS);
      manifest.commit(ManifestEdit.of(new DescribeTree(1, "index of u")));
      assertThat(manifest.fileNumber()).isEqualTo(before + 1);
      manifest.close();
      Manifest reopened = Manifest.open(sim.env(), sim.directory());
      String description = reopened.read(s -> s.trees().iterator().next().description());
      assertThat(description).isEqualTo("index of u");
      reopened.start();
      assertThat(features(sim, before + 2)).isEqualTo(DatabaseIdentity.DESCRIPTIONS);
      reopened.close();
    }
  }

  /** An edit that needs a feature never comes into a file that does not say so. */
  @Test
  void aFeatureIsNotForgottenWhenItsFileFoundNoRoom() {
    try (Simulation sim = Simulation.seeded(9)) {
      Manifest manifest = create(sim);
      manifest.commit(tree(1));
      long before = manifest.fileNumber();
      ManifestEdit describing = ManifestEdit.of(new DescribeTree(1, "index of t"));
      long capacity = sim.disk().capacityBytes();
      sim.disk().capacityBytes(sim.disk().usedBytes() + 8192);
      assertThatThrownBy(() -> manifest.commit(describing)).isInstanceOf(DiskFullException.class);
      // What needs no feature needs no other file.
      manifest.commit(tree(2));
      assertThat(manifest.fileNumber()).isEqualTo(before);
      sim.disk().capacityBytes(capacity);
      manifest.commit(describing);
      assertThat(manifest.fileNumber()).isEqualTo(before + 1);
      assertThat(features(sim, before + 1)).isEqualTo(DatabaseIdentity.DESCRIPTIONS);
      manifest.close();
    }
  }

  private static long features(Simulation sim, long number) {
    byte[] bytes = sim.disk().read(file(sim, number));
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(16);
  }

  /** A flipped bit in an edit before the last is corruption; in the last, a torn tail. */
  @Test
  void aFlippedBitIsNoticedWhereverItIs() {
    try (Simulation sim = Simulation.seeded(6)) {
      Manifest manifest = create(sim);
      List<Long> ends = new ArrayList<>();
      List<String> states = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        states.add(Edits.describe(manifest));
        ends.add(manifest.forcedBytes());
        manifest.commit(tree(i));
      }
      String all = Edits.describe(manifest);
      long end = manifest.forcedBytes();
      Path file = file(sim, 1);
      manifest.close();
      long lastStart = ends.get(3);
      for (long at = 0; at < end; at++) {
        int mask = 1 << (at % 8);
        sim.disk().flip(file, at, mask);
        boolean padding = at >= ManifestLayout.FILE_HEADER_BYTES && at < 4096;
        if (padding || isPaddingOfRecord(at, ends, end)) {
          assertThat(openAndDescribe(sim)).isEqualTo(all);
        } else if (at >= lastStart) {
          assertThat(openAndDescribe(sim)).as("byte %d", at).isEqualTo(states.get(3));
        } else {
          assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
              .as("byte %d", at)
              .isInstanceOf(CorruptionException.class)
              .hasMessageContaining(file.toString());
        }
        sim.disk().flip(file, at, mask);
      }
      assertThat(openAndDescribe(sim)).isEqualTo(all);
    }
  }

  /** Records are padded to 8 bytes; the padding is never read. */
  private static boolean isPaddingOfRecord(long at, List<Long> ends, long end) {
    for (int i = 0; i < ends.size(); i++) {
      long start = ends.get(i);
      long next = i + 1 < ends.size() ? ends.get(i + 1) : end;
      int length = ManifestLayout.HEADER_BYTES + EditCodec.encode(tree(i + 1)).length;
      if (at >= start + length && at < next) {
        return true;
      }
    }
    byte[] first =
        EditCodec.encode(
            ManifestEdit.of(
                new ManifestEdit.Identity(IDENTITY), new ReserveIds(1, 1), new Truncate(0)));
    return at >= 4096 + ManifestLayout.HEADER_BYTES + first.length && at < ends.get(0);
  }

  private static String openAndDescribe(Simulation sim) {
    Manifest manifest = Manifest.open(sim.env(), sim.directory());
    String text = Edits.describe(manifest);
    manifest.close();
    return text;
  }

  @Test
  void aShorterFileIsCorruption() {
    try (Simulation sim = Simulation.seeded(7)) {
      create(sim).close();
      byte[] whole = sim.disk().read(file(sim, 1));
      for (int length = 0; length < whole.length; length += 512) {
        sim.disk().truncate(file(sim, 1), length);
        assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
            .isInstanceOf(CorruptionException.class);
        sim.disk().put(file(sim, 1), whole);
      }
      sim.disk().remove(file(sim, 1));
      assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("missing");
    }
  }

  @Test
  void currentIsCheckedToo() {
    try (Simulation sim = Simulation.seeded(8)) {
      create(sim).close();
      Path current = CurrentFile.path(sim.directory());
      for (int at = 0; at < 24; at++) {
        int mask = 1 << (at % 8);
        sim.disk().flip(current, at, mask);
        assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
            .as("byte %d", at)
            .isInstanceOf(CorruptionException.class)
            .hasMessageContaining("current");
        sim.disk().flip(current, at, mask);
      }
      byte[] whole = sim.disk().read(current);
      for (int length : new int[] {0, 1, 24, 4095, 4097}) {
        sim.disk().put(current, Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
            .isInstanceOf(CorruptionException.class)
            .hasMessageContainingAll(
                current.toString(), length > 4096 ? "more than 4096" : length + " bytes", "backup");
      }
      byte[] identity = foreign(sim);
      sim.disk().put(current, identity);
      assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContainingAll(current.toString(), "magic 5249444c, must be 5255434c");
      identity[16] ^= 1;
      sim.disk().put(current, identity);
      assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
          .hasMessageContainingAll("checksum stored", "of the bytes");
      sim.disk().put(current, whole);
      Manifest.open(sim.env(), sim.directory()).close();
    }
  }

  /** A whole block of another kind. */
  private static byte[] foreign(Simulation sim) {
    Path other = Path.of("/other");
    sim.env().files().createDirectories(other);
    new DirectoryIdentity(1, 1).write(sim.env(), other);
    return sim.disk().read(other.resolve("identity"));
  }

  @Test
  void aHeaderThatIsNotTheFilesSaysWhatItIs() {
    try (Simulation sim = Simulation.seeded(10)) {
      Manifest manifest = create(sim);
      byte[] first = sim.disk().read(file(sim, 1));
      manifest.close();
      Manifest second = Manifest.open(sim.env(), sim.directory());
      second.start();
      second.close();
      sim.disk().put(file(sim, 2), first);
      assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContainingAll(file(sim, 2).toString(), "of manifest 1, expected 2", "backup");
      first[20] ^= 1;
      sim.disk().put(file(sim, 2), first);
      assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContainingAll(file(sim, 2).toString(), "checksum stored", "of the bytes");
    }
  }

  @Test
  void whatANewerReleaseWroteIsRefused() {
    try (Simulation sim = Simulation.seeded(9)) {
      Manifest manifest =
          Manifest.create(sim.env(), sim.directory(), new DatabaseIdentity(1, 4096, 1L << 7));
      manifest.start();
      manifest.close();
      assertThatThrownBy(() -> Manifest.open(sim.env(), sim.directory()))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("0x80");
    }
  }

  @Test
  void theLogKnowsHowMuchWasForced() {
    try (Simulation sim = Simulation.seeded(10)) {
      Manifest manifest = create(sim);
      manifest.commit(tree(1));
      long number = manifest.fileNumber();
      long bytes = manifest.forcedBytes();
      long start = bytes - ManifestLayout.recordBytes(EditCodec.encode(tree(1)).length);
      manifest.close();

      Manifest whole = Manifest.open(sim.env(), sim.directory());
      whole.verifyForced(number, bytes);
      whole.verifyForced(number - 1, bytes + 100);
      assertThatThrownBy(() -> whole.verifyForced(number + 1, 0))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("current");
      whole.close();

      sim.disk().flip(file(sim, number), start, 1);
      Manifest torn = Manifest.open(sim.env(), sim.directory());
      torn.verifyForced(number, start);
      assertThatThrownBy(() -> torn.verifyForced(number, bytes))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("were forced");
      torn.close();
    }
  }

  @Test
  void aFailedWriteOrForceFences() {
    for (IoKind kind : new IoKind[] {IoKind.WRITE, IoKind.FORCE}) {
      try (Simulation sim = Simulation.seeded(11)) {
        Manifest manifest = create(sim);
        manifest.commit(tree(1));
        String before = Edits.describe(manifest);
        sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(kind));
        assertThatThrownBy(() -> manifest.commit(tree(2)))
            .isInstanceOf(FencedException.class)
            .hasCauseInstanceOf(StorageIoException.class);
        assertThat(Edits.describe(manifest)).isEqualTo(before);
        assertThatThrownBy(() -> manifest.commit(tree(2))).isInstanceOf(FencedException.class);
        manifest.close();
        String after = openAndDescribe(sim);
        assertThat(after.equals(before) || after.contains("2 t2")).isTrue();
      }
    }
  }

  @Test
  void aDirectoryThatCannotBeOpenedForTheSwitchChangesNothing() {
    try (Simulation sim = Simulation.seeded(14)) {
      boolean[] none = new boolean[1];
      Manifest manifest = Manifest.create(withoutDescriptors(sim, none), sim.directory(), IDENTITY);
      manifest.start();
      int id = 1;
      while (manifest.forcedBytes() < (64 << 10) - 60) {
        manifest.commit(tree(id++));
      }
      int next = id;
      String before = Edits.describe(manifest);
      none[0] = true;
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> manifest.commit(tree(next)))
            .isInstanceOf(StorageIoException.class)
            .hasMessage("Too many open files");
      }
      assertThat(Edits.describe(manifest)).isEqualTo(before);
      assertThat(openAndDescribe(sim)).isEqualTo(before);
      none[0] = false;
      manifest.commit(tree(next));
      assertThat(manifest.fileNumber()).isEqualTo(2);
      assertThat(openAndDescribe(sim)).isEqualTo(Edits.describe(manifest));
      manifest.close();
    }
  }

  /** The edit may be on disk, and would come back if the manifest went on without it. */
  @Test
  void anErrorInTheMidstOfAnEditFencesToo() {
    try (Simulation sim = Simulation.seeded(20)) {
      ThreadlessFiles files = new ThreadlessFiles("manifest-");
      Manifest manifest = Manifest.create(files.in(sim.env()), sim.directory(), IDENTITY);
      manifest.start();
      files.exhausted(true);
      assertThatThrownBy(() -> manifest.commit(tree(1))).isInstanceOf(OutOfMemoryError.class);
      files.exhausted(false);
      assertThatThrownBy(() -> manifest.commit(tree(1)))
          .isInstanceOf(FencedException.class)
          .hasMessageContaining("native thread");
      manifest.close();
    }
  }

  /** An environment that may lack the file descriptor for a directory. */
  private static StorageEnv withoutDescriptors(Simulation sim, boolean[] none) {
    StorageEnv env = sim.env();
    StorageFiles files =
        (StorageFiles)
            Proxy.newProxyInstance(
                StorageFiles.class.getClassLoader(),
                new Class<?>[] {StorageFiles.class},
                (proxy, method, arguments) -> {
                  if (none[0] && method.getName().equals("openDirectory")) {
                    throw new StorageIoException("Too many open files");
                  }
                  return method.invoke(env.files(), arguments);
                });
    return new StorageEnv(files, env.clock(), env.waiter(), env.tasks(), env.random());
  }

  @Test
  void aFullDiskWhenAFileIsFullChangesNothing() {
    try (Simulation sim = Simulation.seeded(12)) {
      Manifest manifest = create(sim);
      int id = 1;
      while (manifest.fileNumber() == 1 && manifest.forcedBytes() < (64 << 10) - 60) {
        manifest.commit(tree(id++));
      }
      int next = id;
      String before = Edits.describe(manifest);
      long capacity = sim.disk().capacityBytes();
      sim.disk().capacityBytes(sim.disk().usedBytes() + 8192);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> manifest.commit(tree(next))).isInstanceOf(DiskFullException.class);
      }
      assertThat(Edits.describe(manifest)).isEqualTo(before);
      assertThat(openAndDescribe(sim)).isEqualTo(before);
      sim.disk().capacityBytes(capacity);
      manifest.commit(tree(next));
      assertThat(manifest.fileNumber()).isEqualTo(2);
      assertThat(openAndDescribe(sim)).isEqualTo(Edits.describe(manifest));
      manifest.close();
    }
  }

  @Test
  void anOldFileThatCannotBeDeletedIsNoFault() {
    try (Simulation sim = Simulation.seeded(13)) {
      Manifest manifest = create(sim);
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.DELETE).asSticky());
      for (int id = 1; manifest.fileNumber() == 1; id++) {
        manifest.commit(tree(id));
      }
      String committed = Edits.describe(manifest);
      manifest.close();
      Manifest reopened = Manifest.open(sim.env(), sim.directory());
      sim.faults().clear();
      assertThat(Edits.describe(reopened)).isEqualTo(committed);
      reopened.start();
      assertThat(sim.disk().files()).hasSize(2);
      reopened.close();
    }
  }

  @Test
  void afterASwitchOfUnknownOutcomeNothingIsCommitted() {
    try (Simulation sim = Simulation.seeded(14)) {
      Manifest manifest = create(sim);
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.RENAME));
      assertThatThrownBy(
              () -> {
                for (int id = 1; id < 5000; id++) {
                  manifest.commit(tree(id));
                }
              })
          .isInstanceOf(FencedException.class)
          .hasMessageContaining("switch");
      assertThatThrownBy(() -> manifest.commit(tree(5000))).isInstanceOf(FencedException.class);
      String committed = Edits.describe(manifest);
      manifest.close();
      assertThat(openAndDescribe(sim)).isEqualTo(committed);
    }
  }

  @Test
  void aManifestThatWasNotStartedTakesNoEdits() {
    try (Simulation sim = Simulation.seeded(15)) {
      Manifest manifest = Manifest.create(sim.env(), sim.directory(), IDENTITY);
      assertThat(Manifest.exists(sim.env(), sim.directory())).isFalse();
      assertThatThrownBy(() -> manifest.commit(tree(1))).isInstanceOf(IllegalStateException.class);
      manifest.close();
    }
  }
}
