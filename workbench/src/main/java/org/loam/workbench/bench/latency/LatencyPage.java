package org.loam.workbench.bench.latency;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.loam.dashboard.page.Charts;
import org.loam.workbench.console.Json;

/**
 * The report as one HTML page with charts. All that it needs is inside: the data, the script that
 * draws, and uPlot, which it draws with.
 */
final class LatencyPage {
  private LatencyPage() {}

  /**
   * Writes the page.
   *
   * @param report of the benchmark, or one of a figure, which has the same parts and more
   */
  static void write(Path file, Object report) {
    try {
      Files.writeString(file, of(report));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String of(Object report) {
    return resource("page.html")
        .replace("/*uplot.css*/", Charts.styles())
        .replace("/*page.css*/", resource("page.css"))
        .replace("/*uplot.js*/", Charts.script())
        .replace("/*page.js*/", resource("page.js"))
        // A script element ends at the first "</", also inside of a string.
        .replace("/*data*/", Json.line(report).replace("</", "<\\/"));
  }

  private static String resource(String name) {
    return Charts.resource(LatencyPage.class, name);
  }
}
