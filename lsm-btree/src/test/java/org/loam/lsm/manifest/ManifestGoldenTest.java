package org.loam.lsm.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/**
 * Format version 1 of the manifest and of {@code current} is what the {@code .hex} files hold:
 * today's writer writes these very bytes, today's reader reads them. Lines are an offset and 32
 * bytes, without those that are all zeros. Run with {@code -Drewrite=true} to write them anew,
 * which is right only before the format is released.
 */
class ManifestGoldenTest {
  private static final int LINE_BYTES = 32;

  private static Manifest write(Simulation sim) {
    Manifest manifest =
        Manifest.create(
            sim.env(), sim.directory(), new DatabaseIdentity(0x0123_4567_89ab_cdefL, 4096, 0));
    manifest.start();
    manifest.commit(ManifestEdit.of(new CreateTree(1, "orders", 0), new CreateTree(2, "ä", 3)));
    manifest.commit(
        ManifestEdit.of(
            new ReserveIds(1024, 0),
            new ReplaceComponents(
                1, List.of(), List.of(Edits.component(5, 7), Edits.component(6, 0)), 105),
            new Truncate(77)));
    manifest.commit(
        ManifestEdit.of(new ReplaceComponents(1, List.of(5), List.of(Edits.component(9, 16)), -1)));
    manifest.commit(ManifestEdit.of(new DropTree(2, 300)));
    manifest.seal();
    return manifest;
  }

  @Test
  void theWriterWritesTheseBytes() throws IOException {
    try (Simulation sim = Simulation.seeded(1)) {
      write(sim).close();
      byte[] manifest = sim.disk().read(ManifestFile.path(sim.directory(), 1));
      byte[] current = sim.disk().read(CurrentFile.path(sim.directory()));
      assertThat(golden("manifest-v1.hex", format(manifest))).isEqualTo(format(manifest));
      assertThat(golden("current-v1.hex", format(current))).isEqualTo(format(current));
    }
  }

  @Test
  void theReaderReadsTheseBytes() throws IOException {
    try (Simulation sim = Simulation.seeded(2)) {
      Manifest written = write(sim);
      String expected = Edits.describe(written);
      written.close();
      Path manifest = ManifestFile.path(sim.directory(), 1);
      Path current = CurrentFile.path(sim.directory());
      sim.disk().put(manifest, parse(golden("manifest-v1.hex", "")));
      sim.disk().put(current, parse(golden("current-v1.hex", "")));
      Manifest read = Manifest.open(sim.env(), sim.directory());
      assertThat(Edits.describe(read)).isEqualTo(expected);
      assertThat(read.read(ManifestState::sealed)).isTrue();
      read.close();
    }
  }

  @Test
  void aTreeInAnotherDirectoryIsTheseBytes() throws IOException {
    try (Simulation sim = Simulation.seeded(3)) {
      Path other = Path.of("/other");
      sim.env().files().createDirectories(other);
      DirectoryIdentity identity = new DirectoryIdentity(0x0123_4567_89ab_cdefL, 3);
      identity.write(sim.env(), other);
      String written = format(sim.disk().read(other.resolve("identity")));
      assertThat(golden("identity-v1.hex", written)).isEqualTo(written);
      sim.disk().put(other.resolve("identity"), parse(golden("identity-v1.hex", "")));
      assertThat(DirectoryIdentity.read(sim.env(), other)).isEqualTo(identity);

      Manifest manifest =
          Manifest.create(
              sim.env(), sim.directory(), new DatabaseIdentity(0x0123_4567_89ab_cdefL, 4096, 0));
      manifest.start();
      manifest.commit(ManifestEdit.of(new CreateTree(1, "far", 0), new PlaceTree(1, 3)));
      String expected = Edits.describe(manifest);
      manifest.close();
      Path path = ManifestFile.path(sim.directory(), 2);
      String bytes = format(sim.disk().read(path));
      assertThat(golden("manifest-directories-v1.hex", bytes)).isEqualTo(bytes);
      sim.disk().put(path, parse(golden("manifest-directories-v1.hex", "")));
      Manifest read = Manifest.open(sim.env(), sim.directory());
      assertThat(Edits.describe(read)).isEqualTo(expected);
      assertThat(read.read(ManifestState::identity).featureBits())
          .isEqualTo(DatabaseIdentity.DIRECTORIES);
      read.close();
    }
  }

  /** All trees are in one directory then, and later directories have an id of their own. */
  @Test
  void aCheckpointIsTheseBytes() throws IOException {
    try (Simulation sim = Simulation.seeded(4)) {
      long databaseId = 0x0123_4567_89ab_cdefL;
      long directoriesId = 0x7766_5544_3322_1100L;
      Path target = Path.of("/checkpoint");
      sim.env().files().createDirectories(target);
      try (Manifest manifest =
          Manifest.create(sim.env(), sim.directory(), new DatabaseIdentity(databaseId, 4096, 0))) {
        manifest.start();
        manifest.commit(
            ManifestEdit.of(
                new CreateTree(1, "far", 0),
                new PlaceTree(1, 3),
                new ReplaceComponents(1, List.of(), List.of(Edits.component(5, 7)), 105)));
        ManifestImage image = manifest.image(() -> 200, directoriesId);
        assertThat(image.tables())
            .containsExactly(new ManifestImage.Table(Edits.component(5, 7).meta(), 3));
        image.publish(sim.env(), target);
      }
      Path path = ManifestFile.path(target, 3);
      String bytes = format(sim.disk().read(path));
      assertThat(golden("manifest-checkpoint-v1.hex", bytes)).isEqualTo(bytes);
      sim.disk().put(path, parse(golden("manifest-checkpoint-v1.hex", "")));
      try (Manifest read = Manifest.open(sim.env(), target)) {
        assertThat(read.read(ManifestState::identity))
            .isEqualTo(
                new DatabaseIdentity(databaseId, 4096, DatabaseIdentity.CHECKPOINT, directoriesId));
        List<Integer> places =
            read.read(state -> state.trees().stream().map(TreeRecord::directory).toList());
        assertThat(places).containsExactly(0);
        read.start();
        read.commit(ManifestEdit.of(new PlaceTree(1, 1)));
      }
      try (Manifest again = Manifest.open(sim.env(), target)) {
        assertThat(again.read(ManifestState::identity))
            .isEqualTo(
                new DatabaseIdentity(
                    databaseId,
                    4096,
                    DatabaseIdentity.CHECKPOINT | DatabaseIdentity.DIRECTORIES,
                    directoriesId));
      }
    }
  }

  private static String golden(String name, String rewritten) throws IOException {
    if (Boolean.getBoolean("rewrite") && !rewritten.isEmpty()) {
      Path resources = Path.of("src/test/resources/org/loam/lsm/manifest");
      Files.createDirectories(resources);
      Files.writeString(resources.resolve(name), rewritten);
      return rewritten;
    }
    try (InputStream in = ManifestGoldenTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static String format(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    String zeros = "00".repeat(LINE_BYTES);
    for (int at = 0; at < bytes.length; at += LINE_BYTES) {
      String line = HexFormat.of().formatHex(bytes, at, at + LINE_BYTES);
      if (!line.equals(zeros)) {
        text.append(String.format("%06x %s\n", at, line));
      }
    }
    return text.append(String.format("%06x\n", bytes.length)).toString();
  }

  private static byte[] parse(String text) {
    List<String> lines = text.lines().toList();
    byte[] bytes = new byte[Integer.parseInt(lines.get(lines.size() - 1), 16)];
    for (String line : lines.subList(0, lines.size() - 1)) {
      byte[] some = HexFormat.of().parseHex(line.substring(7));
      System.arraycopy(some, 0, bytes, Integer.parseInt(line.substring(0, 6), 16), some.length);
    }
    return bytes;
  }
}
