package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Setting;
import org.loam.common.config.Settings;

/** The page on settings has the table that the code has. */
@Tag("once")
class SettingsPageTest {
  @Test
  void thePageListsEverySetting() throws IOException {
    List<String> rows =
        Files.readAllLines(SourceTree.root().resolve("docs/SETTINGS.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .toList();
    assertThat(rows).isEqualTo(Settings.ALL.stream().map(SettingsPageTest::row).toList());
  }

  private static String row(Setting<?> setting) {
    return "| `"
        + setting.name()
        + "` | "
        + setting.meaning()
        + " | "
        + setting.allowed()
        + " | "
        + (setting.isLive() ? "live" : "fixed: " + setting.fixedBecause())
        + " |";
  }
}
