package org.loam.asterix.suite;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.control.nc.NodeControllerService;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.real.RealEnv;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;

/** The cycles that the memory tuners of the nodes have ended, as their histories say. */
final class TunerCycles {
  private static final String DIRECTORY = "loam";

  /** By node: the last entry that was looked at. */
  private final Map<String, HistoryEntry> last = new HashMap<>();

  /**
   * Cycles of all nodes.
   *
   * @param cycles how many ended
   * @param moved those within which memory moved: write memory had another size at the end
   * @param decided those at whose end it was decided to move memory
   */
  record Counts(int cycles, int moved, int decided) {
    private static final Counts NONE = new Counts(0, 0, 0);

    private Counts plus(HistoryEntry entry, boolean moves) {
      return new Counts(
          cycles + 1, moved + (moves ? 1 : 0), decided + (entry.decision().moves() ? 1 : 0));
    }
  }

  /** Those that have ended since the last look. */
  Counts look(NodeControllerService[] nodes) {
    Counts counts = Counts.NONE;
    for (NodeControllerService node : nodes) {
      for (HistoryEntry entry : history(node)) {
        HistoryEntry before = last.get(node.getId());
        if (before == null || entry.cycle() > before.cycle()) {
          counts = counts.plus(entry, hasMoved(before, entry));
          last.put(node.getId(), entry);
        }
      }
    }
    return counts;
  }

  private static Iterable<HistoryEntry> history(NodeControllerService node) {
    IODeviceHandle first = node.getContext().getIoManager().getIODevices().get(0);
    Path directory = Path.of(new FileReference(first, DIRECTORY).getAbsolutePath());
    return HistoryReader.read(RealEnv.create().files(), HistoryReader.fileIn(directory)).entries();
  }

  /** An engine has whole pages. */
  private static boolean hasMoved(@Nullable HistoryEntry before, HistoryEntry entry) {
    long then = before == null ? entry.initialBytes() : before.memory().writeBytes();
    return Math.abs(entry.memory().writeBytes() - then) >= entry.memory().pageBytes();
  }
}
