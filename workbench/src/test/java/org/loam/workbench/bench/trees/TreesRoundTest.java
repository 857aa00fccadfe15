package org.loam.workbench.bench.trees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.bench.trees.TreesReport.Settings;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Machine;
import org.loam.workbench.peer.LoamStoreFactory;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;

class TreesRoundTest {
  @TempDir Path directory;

  private StoreSettings settings(String name) {
    return new StoreSettings(
        directory.resolve(name), 64L << 20, Durability.PROCESS, 100, 30, 0, Map.of());
  }

  @Test
  void allTreesAreTimedAndTheirFilesAreRemoved() {
    TreesRow row = new TreesRound("loam", new LoamStoreFactory(), settings("database")).run();
    assertThat(row.createSeconds()).isPositive();
    assertThat(row.flushSeconds()).isPositive();
    assertThat(row.closeSeconds()).isPositive();
    assertThat(row.openSeconds()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aTreeWithoutItsLastRecordIsNoticed() {
    Iterator<String> places = List.of("first", "second").iterator();
    StoreFactory forgetful = any -> new LoamStoreFactory().open(settings(places.next()));
    assertThatThrownBy(() -> new TreesRound("loam", forgetful, settings("database")).run())
        .isInstanceOf(CommandException.class)
        .hasMessage("loam: tree 0 lost what was put last");
  }

  @Test
  void theTextHasEachRoundAndTheMediansOfEachNumber() {
    List<TreesRow> rounds =
        List.of(
            new TreesRow("loam", 9, 1, 2, 1),
            new TreesRow("loam", 5, 3, 1, 1),
            new TreesRow("loam", 7, 2, 3, 1));
    TreesRow median = TreesRow.median(rounds);
    assertThat(median).isEqualTo(new TreesRow("loam", 7, 2, 2, 1));
    TreesReport report =
        new TreesReport(
            List.of(median),
            rounds,
            List.of(),
            new Settings(1000, 100, 64L << 20, Durability.PROCESS, Map.of()),
            Machine.of(directory));
    assertThat(report.text().lines())
        .hasSize(1 + 1 + 3 + 1)
        .contains("1,000 trees with a record each, 64 MiB of memory; seconds")
        .last()
        .isEqualTo("loam               median      7.00      2.00      2.00      1.00");
  }
}
