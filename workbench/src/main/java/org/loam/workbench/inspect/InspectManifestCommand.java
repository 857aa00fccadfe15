package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.loam.common.env.real.RealEnv;
import org.loam.lsm.manifest.ManifestDump;
import org.loam.lsm.manifest.ManifestDump.ComponentState;
import org.loam.lsm.manifest.ManifestDump.Edit;
import org.loam.lsm.manifest.ManifestDump.State;
import org.loam.lsm.manifest.ManifestDump.TreeState;
import org.loam.workbench.database.DatabaseOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam inspect manifest}: trees, their components, and how they came to be. */
@Command(
    name = "manifest",
    description = {
      "Shows the trees of a database and their components, the place in the log from"
          + " which on it is needed, and the edits that the manifest file consists of."
    },
    footer = {
      "  loam inspect manifest",
      "  loam inspect manifest --directory /srv/orders --edits",
      "  loam inspect manifest --json | jq '.state.trees[].components[].file'"
    })
final class InspectManifestCommand implements Callable<Integer> {
  @Mixin private DatabaseOptions database = new DatabaseOptions();
  @Mixin private DumpOptions report = new DumpOptions();

  @Option(names = "--edits", description = "Also list the edits.")
  private boolean edits;

  @Override
  public Integer call() {
    ManifestDump dump = Inspected.manifest(RealEnv.create(), database.directory());
    return report.print(dump, dump.damage(), out -> print(dump, out));
  }

  private void print(ManifestDump dump, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %,d bytes, %,d edits up to byte %,d%n",
        dump.file(),
        dump.fileBytes(),
        dump.edits().size(),
        dump.readableBytes());
    if (dump.tornTail()) {
      out.println("an edit behind them was not written whole, as a crash leaves it");
    }
    State state = dump.state();
    if (state != null) {
      print(state, out);
    }
    if (edits) {
      dump.edits().forEach(edit -> print(edit, out));
    }
  }

  private static void print(State state, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "database %s: pages of %,d bytes, feature bits %d, %s%n",
        state.identity().databaseId(),
        state.identity().pageBytes(),
        state.identity().featureBits(),
        state.sealed() ? "closed cleanly" : "not closed");
    if (state.identity().lacksLog()) {
      out.println("log: none, the database lies below that of a host");
    } else {
      out.printf(
          Locale.ROOT,
          "log: needed from LSN %d, forced through LSN %d%n",
          state.log().truncationLsn(),
          state.log().maxComponentLsn());
    }
    out.printf(
        Locale.ROOT,
        "next: tree id %d, file id %d%n",
        state.next().nextTreeId(),
        state.next().nextFileId());
    state
        .dropped()
        .forEach(
            (tree, lsn) ->
                out.printf(
                    Locale.ROOT, "tree %d was dropped; LSNs below %d are skipped%n", tree, lsn));
    state.trees().forEach(tree -> print(tree, out));
  }

  private static void print(TreeState tree, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "tree %d '%s': %,d components, %,d bytes, %,d entries, durable through LSN %d%n",
        tree.id(),
        tree.name(),
        tree.components().size(),
        tree.components().stream().mapToLong(ComponentState::sizeBytes).sum(),
        tree.components().stream().mapToLong(c -> c.counts().entries()).sum(),
        tree.durableLsn());
    if (!tree.description().isEmpty()) {
      out.println("  is " + tree.description());
    }
    for (ComponentState c : tree.components()) {
      out.printf(
          Locale.ROOT,
          "  %s %s: %,d bytes, %,d entries, %,d of them anti-matter, LSN %d to %d, keys %s to %s%n",
          c.level() == 0 ? "L0 group " + c.group() : "L" + c.level(),
          c.file(),
          c.sizeBytes(),
          c.counts().entries(),
          c.counts().antiMatter(),
          c.lsns().minLsn(),
          c.lsns().maxLsn(),
          c.keys().minKey(),
          c.keys().maxKey());
    }
  }

  private static void print(Edit edit, PrintWriter out) {
    out.printf(Locale.ROOT, "edit %d at byte %,d%n", edit.sequence(), edit.offset());
    edit.changes().forEach(change -> out.println("  " + change));
  }
}
