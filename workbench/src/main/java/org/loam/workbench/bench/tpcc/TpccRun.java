package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.bench.EngineProcess;
import org.loam.workbench.console.Progress;

/** One run of one engine, in a process of its own. */
final class TpccRun {
  private TpccRun() {}

  /**
   * Runs it.
   *
   * @param name for the progress and the notes
   * @param notes takes what a reader should know
   * @throws org.loam.workbench.console.CommandException if the engine failed, or if a condition
   *     does not hold
   */
  static TpccRow of(TpccSpec spec, String name, List<String> notes, Progress progress) {
    List<TpccRow> rows = new ArrayList<>();
    EngineProcess<TpccRow> process = new EngineProcess<>(name, notes, progress, rows::add);
    process.run(TpccMain.class, spec, TpccRow.class, EngineProcess.LARGE_HEAP_MIB);
    if (rows.isEmpty()) {
      throw process.failed("has no result");
    }
    return rows.get(0);
  }
}
