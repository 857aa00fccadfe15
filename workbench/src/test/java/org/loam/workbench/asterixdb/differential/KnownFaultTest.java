package org.loam.workbench.asterixdb.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The page for operators lists the faults of AsterixDB that the generator avoids, and no others.
 */
class KnownFaultTest {
  @Test
  void thePageHasAllOfThem() throws IOException {
    String page = Files.readString(Path.of("../docs/ASTERIXDB.md"));
    String section = page.substring(page.indexOf("## Known faults of AsterixDB"));
    StringBuilder table = new StringBuilder();
    for (KnownFault fault : KnownFault.values()) {
      table
          .append("| ")
          .append(String.join(" | ", fault.fault(), fault.storages(), fault.avoidance()))
          .append(" |\n");
    }
    assertThat(section).contains("|---|---|---|\n" + table + "\n");
  }
}
