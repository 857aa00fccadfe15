package org.loam.workbench.bench.latency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.browser.Chromium;
import org.loam.workbench.console.Machine;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/** The page with charts, also in a real browser. */
class LatencyPageTest {
  private static final int BLUE = 0x0072B2;
  private static final int VERMILION = 0xD55E00;
  private static final List<String> CHARTS =
      List.of(
          "Throughput",
          "Write latency",
          "Write processing",
          "L0 depth",
          "Owed to merges",
          "Levels",
          "Open merges",
          "L0 depth by tree",
          "L0 bytes by tree",
          "Write memory",
          "Stalls",
          "Bytes written by the engine",
          "Bytes of process and device",
          "Cache hits",
          "Processor time");

  @TempDir Path directory;

  private static LatencyReport report() {
    LatencyRounds measured = new LatencyRounds();
    measured.add(result("loam", 1, true));
    measured.add(result("rocksdb", 2, false));
    return LatencyReport.of(
        new LatencySpec(
            new Subject(Peer.LOAM, "", Map.of()),
            new DataSize(100_000, 1000, 64L << 20),
            Trees.ONE,
            Durability.PROCESS,
            new Traffic(Workload.OVERWRITE, ArrivalPattern.BURSTY, 0.95, 4),
            120_000,
            42),
        measured,
        List.of("a note with </script> in it"),
        new LatencyReport.Origin("loam bench latency", null, "2026-01-01T00:00:00Z"),
        Machine.of(Path.of("")));
  }

  private static LatencyResult result(String engine, int seed, boolean hasCache) {
    Series series = series(seed, hasCache);
    Percentiles percentiles = new Percentiles(1000, 12, 40, 900, 21_000, 400_000, 2_900_000);
    return new LatencyResult(
        engine,
        1_000,
        new TestingResult(
            6_000_000,
            100,
            new TestingResult.Debt(1e8, 3e8, 12, 0),
            53_571,
            percentiles,
            Map.of(),
            series),
        new RunningResult(
            50_893,
            new RunningResult.Counts(6_107_143, 6_107_143, 0, 120),
            new KindPercentiles(percentiles, percentiles, null, null),
            new Moves(List.of()),
            Map.of("flushedBytes", 1e9),
            series),
        1L << 30);
  }

  private static Series series(int seed, boolean hasCache) {
    SplittableRandom random = new SplittableRandom(seed);
    Series.Builder series = new Series.Builder();
    for (int second = 1; second <= 120; second++) {
      double wave = 1 + Math.sin(second / 9.0 + seed) / 2 + random.nextDouble() / 5;
      Map<String, Double> point = new LinkedHashMap<>();
      point.put("offeredPerSecond", second % 30 > 25 ? 135_000.0 : 34_000.0);
      point.put("donePerSecond", 40_000 * wave);
      point.put("writeP50Micros", 20 * wave);
      point.put("writeP99Micros", 2_000 * Math.pow(wave, 9));
      point.put("writeMaxMicros", 30_000 * Math.pow(wave, 9));
      point.put("writeProcessingP50Micros", 9 * wave);
      point.put("writeProcessingP99Micros", 500 * wave);
      point.put("writeProcessingMaxMicros", 9_000 * Math.pow(wave, 5));
      point.put("l0DepthMax", Math.floor(6 * wave));
      point.put("l0DepthSum", Math.floor(6 * wave));
      point.put("l0BytesSum", 6e7 * wave);
      for (int tree = 0; tree < 12; tree++) {
        point.put("l0Depth." + tree, Math.floor(6 * wave / (tree + 1)));
        point.put("l0Bytes." + tree, 6e7 * wave / (tree + 1));
      }
      point.put("openMerges", Math.floor(3 * wave));
      point.put("levelFullnessMax", 1.3 * wave);
      point.put("owedBytes", 1.1e8 * wave);
      point.put("writeMemoryUsedBytes", 1.2e8 * wave);
      point.put("writeMemoryLiveBytes", 0.9e8 * wave);
      point.put("writeMemoryTargetBytes", 2.7e8);
      point.put("stallMillis." + (seed == 1 ? "L0_STOP" : "ALL") + "PerSecond", 900 * (wave - 0.5));
      point.put("mergedBytesPerSecond", 1.5e8 * wave);
      point.put("flushedBytesPerSecond", 4e7 * wave);
      point.put("loggedBytesPerSecond", 5e7 * wave);
      point.put("processWrittenBytesPerSecond", 2.4e8 * wave);
      point.put("processReadBytesPerSecond", 1.2e8 * wave);
      point.put("deviceWrittenBytesPerSecond", 2.5e8 * wave);
      point.put("deviceReadBytesPerSecond", 1.3e8 * wave);
      point.put("cpuSecondsPerSecond", 0.8 * wave);
      if (hasCache) {
        point.put("hits.POINTPerSecond", 900.0);
        point.put("misses.POINTPerSecond", 100 * wave);
      }
      series.add(second, point);
    }
    return series.build();
  }

  @Test
  void thePageHasItsDataAndNothingFromElsewhere() {
    String page = LatencyPage.of(report());
    assertThat(page).contains("\"offeredPerSecond\":50893.0", "a note with <\\/script> in it");
    assertThat(page.split("</script>", -1)).hasSize(4);
    assertThat(page).doesNotContain("<link", "src=", "@import").contains("uPlot");
    assertThat(page).doesNotContain("/*data*/", "/*page.js*/", "/*uplot.js*/", "/*page.css*/");
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void aBrowserDrawsAllChartsOfBothEngines() throws IOException, InterruptedException {
    Chromium.require();
    Path page = directory.resolve("page.html");
    Path picture = Path.of("target", "latency-page.png").toAbsolutePath();
    Files.createDirectories(picture.getParent());
    Files.deleteIfExists(picture);
    LatencyPage.write(page, report());

    String document = browser(page, "--dump-dom");
    Map<String, Integer> points = points(document);
    // The chart of read latency is not among them: nothing is read.
    assertThat(points).containsOnlyKeys(CHARTS);
    assertThat(points.values()).allMatch(count -> count >= 120);
    assertThat(widths(document)).as("a wider chart covers its neighbour").hasSize(1);

    browser(page, "--screenshot=" + picture);
    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(pixels(image, BLUE)).as("pixels of the first engine's lines").isGreaterThan(2_000);
    assertThat(pixels(image, VERMILION)).as("of the second one's").isGreaterThan(2_000);
  }

  /** Data points by the title of a chart, of both phases together. */
  private static Map<String, Integer> points(String document) {
    assertThat(document).contains("data-drawn=\"true\"");
    Map<String, Integer> points = new LinkedHashMap<>();
    Matcher chart =
        Pattern.compile("data-points=\"(\\d+)\" data-title=\"([^\"]+)\"").matcher(document);
    while (chart.find()) {
      points.merge(chart.group(2), Integer.parseInt(chart.group(1)), Integer::sum);
    }
    return points;
  }

  /** The widths that charts are drawn with. */
  private static Set<String> widths(String document) {
    return Pattern.compile("class=\"u-wrap\" style=\"width: (\\d+)px")
        .matcher(document)
        .results()
        .map(width -> width.group(1))
        .collect(Collectors.toSet());
  }

  private static long pixels(BufferedImage image, int colour) {
    int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(all).filter(pixel -> (pixel & 0xffffff) == colour).count();
  }

  private String browser(Path page, String action) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Chromium.OPTIONS);
    command.addAll(
        List.of(
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--user-data-dir=" + directory.resolve("profile"),
            "--window-size=1300,5600",
            "--virtual-time-budget=5000",
            action,
            page.toUri().toString()));
    Path errors = directory.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int exitCode = process.waitFor();
      assertThat(exitCode).as(Files.readString(errors)).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
