package org.loam.lsm.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.scheduler.merge.KeyRange;

/** What edits of a manifest add up to, and which are refused. Each line of an edit is a change. */
class ManifestScriptTest implements Script.Interpreter {
  private static final Pattern ADDED = Pattern.compile("\\+(\\d+)@L(\\d+)(?:/(\\d+))?");

  private final Simulation sim = Simulation.seeded(1);
  private Manifest manifest =
      Manifest.create(sim.env(), sim.directory(), new DatabaseIdentity(42, 4096, 0));

  ManifestScriptTest() {
    manifest.start();
  }

  @TestFactory
  Stream<DynamicTest> manifest() {
    return Script.tests("manifest", ManifestScriptTest::new);
  }

  @Override
  public void close() {
    manifest.close();
    sim.close();
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "edit" -> edit(command);
      case "reopen" -> reopen();
      default -> throw command.unknown();
    };
  }

  private String edit(Script.Command command) {
    ManifestEdit edit =
        new ManifestEdit(command.lines().stream().map(ManifestScriptTest::change).toList());
    String before = manifest.read(ManifestScriptTest::text);
    try {
      manifest.commit(edit);
    } catch (AssertionError refused) {
      if (!manifest.read(ManifestScriptTest::text).equals(before)) {
        throw new AssertionError("refused and done all the same", refused);
      }
      Throwable cause = refused.getCause();
      String message = (cause == null ? refused : cause).getMessage();
      return "refused: " + message.replaceAll(", meta=.*", "]");
    }
    return manifest.read(ManifestScriptTest::text);
  }

  /** Reads the file again, begins another one, and reads that. */
  private String reopen() {
    manifest.close();
    manifest = Manifest.open(sim.env(), sim.directory());
    String read = manifest.read(ManifestScriptTest::text);
    manifest.start();
    manifest.close();
    manifest = Manifest.open(sim.env(), sim.directory());
    String again = manifest.read(ManifestScriptTest::text);
    manifest.start();
    return read.equals(again) ? read : read + "\nin a fresh file:\n" + again;
  }

  private static Change change(String line) {
    String[] words = line.split(" +", 3);
    int first = words.length > 1 ? Integer.parseInt(words[1]) : 0;
    String rest = words.length > 2 ? words[2] : "";
    return switch (words[0]) {
      case "create" -> new CreateTree(first, rest, 0);
      case "describe" -> new DescribeTree(first, rest);
      case "place" -> new PlaceTree(first, Integer.parseInt(rest));
      case "drop" -> new DropTree(first, Long.parseLong(rest));
      case "components" -> components(first, rest);
      case "files" -> new ReserveIds(first, 0);
      case "trees" -> new ReserveIds(0, first);
      case "truncate" -> new Truncate(first);
      case "seal" -> new ManifestEdit.Seal();
      default -> throw new IllegalArgumentException(line);
    };
  }

  /** Words such as {@code -3 +5@L0/1 +6@L31 through 70}. */
  private static Change components(int treeId, String text) {
    String[] halves = text.split(" *through ", -1);
    List<Integer> removed = new ArrayList<>();
    List<ComponentRecord> added = new ArrayList<>();
    for (String word : halves[0].split(" +", -1)) {
      Matcher m = ADDED.matcher(word);
      if (m.matches()) {
        long group = m.group(3) == null ? 0 : Long.parseLong(m.group(3));
        SSTableMeta meta = meta(Integer.parseInt(m.group(1)));
        added.add(new ComponentRecord(Integer.parseInt(m.group(2)), group, meta));
      } else if (!word.isEmpty()) {
        removed.add(-Integer.parseInt(word));
      }
    }
    long durableLsn = halves.length > 1 ? Long.parseLong(halves[1]) : -1;
    return new ReplaceComponents(treeId, removed, added, durableLsn);
  }

  private static SSTableMeta meta(int fileId) {
    byte[] key = Integer.toString(fileId).getBytes(UTF_8);
    return new SSTableMeta(
        fileId,
        fileId,
        8192,
        fileId,
        new SSTableMeta.Counts(1, 0),
        new KeyRange(key, key),
        new SSTableMeta.Lsns(0, fileId));
  }

  private static String text(ManifestState state) {
    StringJoiner out = new StringJoiner("\n");
    for (TreeRecord tree : state.trees()) {
      StringBuilder line = new StringBuilder("tree " + tree.treeId() + " '" + tree.name() + "'");
      line.append(tree.description().isEmpty() ? "" : " (" + tree.description() + ")");
      line.append(tree.directory() == 0 ? "" : " in directory " + tree.directory());
      line.append(", durable through ").append(tree.durableLsn()).append(':');
      for (ComponentRecord c : tree.components()) {
        line.append(' ').append(c.meta().fileId()).append("@L").append(c.level());
        line.append(c.group() == 0 ? "" : "/" + c.group());
      }
      out.add(line);
    }
    state.dropped().forEach((id, lsn) -> out.add("dropped: tree " + id + " below " + lsn));
    out.add(
        ("next file " + state.nextFileId() + ", next tree " + state.nextTreeId())
            + (", replay from " + state.truncationLsn())
            + (state.sealed() ? ", sealed" : ""));
    return out.toString();
  }
}
