package org.loam.engine.verify;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageIoException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Epochs;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.disk.SSTableVerifier;
import org.loam.lsm.disk.TableReport;
import org.loam.lsm.version.LiveTable;

/**
 * Reads every page of the disk components from their files, past the cache. One use, one thread.
 *
 * <p>A component is held from being disposed of only while it is read, so that flushes and merges
 * go on and the space of what they replace returns. A component that was merged away before its
 * turn was read, checksums included, by the merge; what the merge made of it is read in a second
 * pass.
 */
final class ComponentVerifier {
  private static final int PASSES = 2;

  private final Operations operations;
  private final Epochs fileEpochs;
  private final int pageBytes;
  private final Findings findings;
  private final VerifyMeter meter;
  private int trees;
  private int components;
  private long pages;
  private long entries;

  /**
   * @param fileEpochs readers of tables are inside
   */
  ComponentVerifier(
      Operations operations,
      Epochs fileEpochs,
      int pageBytes,
      Findings findings,
      VerifyMeter meter) {
    this.operations = operations;
    this.fileEpochs = fileEpochs;
    this.pageBytes = pageBytes;
    this.findings = findings;
    this.meter = meter;
  }

  int trees() {
    return trees;
  }

  int components() {
    return components;
  }

  long pages() {
    return pages;
  }

  long entries() {
    return entries;
  }

  /**
   * Reads a tree.
   *
   * @param remedy what to do if a component of it is damaged
   */
  void verify(LsmTree tree, String remedy) {
    trees++;
    Set<Integer> read = new HashSet<>();
    for (int pass = 0; pass < PASSES; pass++) {
      for (LiveTable table : tables(tree)) {
        if (read.add(table.fileId())) {
          verify(tree, table, remedy);
        }
      }
    }
  }

  /** Those of now; one that is merged away has no more than its name. */
  private List<LiveTable> tables(LsmTree tree) {
    OperationContext context = operations.enter();
    try {
      return tree.disk().tables();
    } finally {
      operations.exit(context);
    }
  }

  private void verify(LsmTree tree, LiveTable table, String remedy) {
    TableReport report;
    try {
      report = read(tree, table.fileId());
    } catch (StorageIoException | CorruptionException | UnsupportedFormatException e) {
      components++;
      findings.add(
          table.path().toString(),
          "it cannot be read: " + e.getMessage(),
          "see the log of the operating system; " + remedy);
      return;
    }
    if (report == null) {
      return;
    }
    components++;
    pages += report.pages();
    entries += report.entries();
    for (String problem : report.problems()) {
      findings.add(report.file().toString(), problem, remedy);
    }
    findings.addUnlisted(report.problemCount() - report.problems().size());
    meter.read((long) report.pages() * pageBytes);
  }

  /** Null if the component is not there any more. */
  private @Nullable TableReport read(LsmTree tree, int fileId) {
    OperationContext context = operations.enter();
    try {
      // Before the version: what that names is not disposed of from here on.
      int slot = fileEpochs.enter();
      try {
        LiveTable table = tree.disk().table(fileId);
        return table == null ? null : SSTableVerifier.verify(table.table());
      } finally {
        fileEpochs.exit(slot);
      }
    } finally {
      operations.exit(context);
    }
  }
}
