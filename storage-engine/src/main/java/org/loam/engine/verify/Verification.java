package org.loam.engine.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Epochs;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.read.ReadPath;
import org.loam.engine.report.VerifyProgress;
import org.loam.engine.report.VerifyReport;
import org.loam.engine.report.VerifyReport.DatasetReport;
import org.loam.lsm.LsmTree;

/** One call of {@code Engine.verify}: the components of each tree, then each dataset. */
public final class Verification {
  private static final String RESTORE = "restore the file from a backup";

  private final ReadPath reads;
  private final Epochs fileEpochs;
  private final int pageBytes;
  private final int maxKeyBytes;
  private final List<LsmTree> trees;
  private final List<DatasetState> datasets;
  private final Findings findings = new Findings();
  private final Map<LsmTree, String> remedies = new HashMap<>();

  /**
   * @param fileEpochs readers of tables are inside
   * @param maxKeyBytes the longest key that a tree takes
   * @param trees all, those of datasets included
   */
  public Verification(
      ReadPath reads,
      Epochs fileEpochs,
      int pageBytes,
      int maxKeyBytes,
      List<LsmTree> trees,
      List<DatasetState> datasets) {
    this.reads = reads;
    this.fileEpochs = fileEpochs;
    this.pageBytes = pageBytes;
    this.maxKeyBytes = maxKeyBytes;
    this.trees = trees;
    this.datasets = datasets;
    for (DatasetState dataset : datasets) {
      for (DatasetState.Index index : dataset.indexes()) {
        remedies.put(
            index.tree(),
            "drop "
                + DatasetVerifier.place(dataset, index)
                + " and create it again, or "
                + RESTORE);
      }
    }
  }

  public VerifyReport run(VerifyProgress progress) {
    long treeBytes = trees.stream().mapToLong(this::bytes).sum();
    long datasetBytes = datasets.stream().mapToLong(this::bytes).sum();
    VerifyMeter meter = new VerifyMeter(progress, treeBytes + datasetBytes);
    ComponentVerifier components =
        new ComponentVerifier(reads.operations(), fileEpochs, pageBytes, findings, meter);
    for (LsmTree tree : trees) {
      String remedy = remedies.getOrDefault(tree, RESTORE);
      meter.run(
          "components of tree '" + tree.name() + "'",
          bytes(tree),
          () -> components.verify(tree, remedy));
    }
    List<DatasetReport> reports = new ArrayList<>();
    for (DatasetState dataset : datasets) {
      meter.run(
          DatasetVerifier.place(dataset), bytes(dataset), () -> verify(dataset, meter, reports));
    }
    return new VerifyReport(
        components.trees(),
        components.components(),
        components.pages(),
        components.entries(),
        reports,
        findings.count(),
        findings.kept());
  }

  private void verify(DatasetState dataset, VerifyMeter meter, List<DatasetReport> reports) {
    try {
      reports.add(new DatasetVerifier(reads, maxKeyBytes, dataset, findings, meter).run());
    } catch (ClosedException e) {
      reads.operations().requireOpen();
      if (!dataset.records().isDropped()) {
        throw e;
      }
    }
  }

  private long bytes(DatasetState dataset) {
    return dataset.trees().stream().mapToLong(this::bytes).sum();
  }

  private long bytes(LsmTree tree) {
    OperationContext context = reads.operations().enter();
    try {
      return tree.disk().bytes();
    } finally {
      reads.operations().exit(context);
    }
  }
}
