package org.loam.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.loam.common.error.ClosedException;
import org.loam.engine.VerifyReport.DatasetReport;
import org.loam.lsm.LsmTree;

/** One run of {@link Engine#verify}: the components of each tree, then each dataset. */
final class Verification {
  private static final String RESTORE = "restore the file from a backup";

  private final Engine engine;
  private final Kernel kernel;
  private final List<DatasetState> datasets;
  private final Findings findings = new Findings();
  private final Map<LsmTree, String> remedies = new HashMap<>();

  Verification(Engine engine, List<DatasetState> datasets) {
    this.engine = engine;
    this.kernel = engine.kernel();
    this.datasets = datasets;
    for (DatasetState dataset : datasets) {
      for (DatasetState.Index index : dataset.indexes()) {
        remedies.put(
            index.tree().lsm(),
            "drop "
                + DatasetVerifier.place(dataset, index)
                + " and create it again, or "
                + RESTORE);
      }
    }
  }

  VerifyReport run(VerifyProgress progress) {
    List<LsmTree> trees = kernel.trees.list();
    long treeBytes = trees.stream().mapToLong(this::bytes).sum();
    long datasetBytes = datasets.stream().mapToLong(this::bytes).sum();
    VerifyMeter meter = new VerifyMeter(progress, treeBytes + datasetBytes);
    ComponentVerifier components = new ComponentVerifier(kernel, findings, meter);
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
      reports.add(new DatasetVerifier(engine, dataset, findings, meter).run());
    } catch (ClosedException e) {
      engine.requireOpen();
      if (!dataset.records().lsm().isDropped()) {
        throw e;
      }
    }
  }

  private long bytes(DatasetState dataset) {
    return dataset.trees().stream().mapToLong(tree -> bytes(tree.lsm())).sum();
  }

  private long bytes(LsmTree tree) {
    OperationContext context = kernel.operations.enter();
    try {
      return tree.disk().bytes();
    } finally {
      kernel.operations.exit(context);
    }
  }
}
