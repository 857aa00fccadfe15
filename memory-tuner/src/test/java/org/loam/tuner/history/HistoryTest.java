package org.loam.tuner.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.ProcessorTimes;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Decision.Estimate;
import org.loam.tuner.policy.Decision.Evidence;
import org.loam.tuner.policy.Decision.Outcome;
import org.loam.tuner.policy.Decision.Point;
import org.loam.tuner.policy.Origin;
import org.loam.tuner.policy.Rule;

class HistoryTest {
  private static final long MOST_BYTES = 1 << 16;

  private static final CycleTimes TIMES =
      new CycleTimes(11, 12, 13, 14, new ProcessorTimes(15, 16, 17), new CycleTimes.Beside(5, 10));

  @TempDir Path directory;

  private final StorageFiles files = RealEnv.create().files();

  private static HistoryEntry entry(int cycle) {
    CycleSample sample =
        sample(
            cycle,
            List.of(
                new TreeSample(
                    1,
                    new TreeSample.Written(10, 100),
                    new TreeSample.Flushed(20, 30),
                    40,
                    new TreeSample.Levels(5000, 2, 10, 4, 4, 0, TreeSample.Growth.NONE),
                    new TreeSample.Held(0.5, -3)),
                new TreeSample(
                    2,
                    new TreeSample.Written(1, 1),
                    new TreeSample.Flushed(2, 3),
                    4,
                    new TreeSample.Levels(5, 1, 10, 4, 4, 0, TreeSample.Growth.NONE),
                    new TreeSample.Held(0, 0))));
    return entry(cycle, sample);
  }

  private static CycleSample sample(int cycle, List<TreeSample> trees) {
    return new CycleSample(
        1000 + cycle,
        trees,
        Map.of(ReadClass.QUERY, new ReadSample(9, 8, 7, 6)),
        new MemorySample(1 << 30, 1 << 28, 1 << 26, 1 << 14),
        new LogSample(77, 88),
        Curves.NONE,
        TIMES);
  }

  private static HistoryEntry entry(int cycle, CycleSample sample) {
    Decision decision =
        new Decision(
            1 << 28,
            1 << 29,
            1 << 27,
            Origin.CURVE,
            Rule.DONOR,
            new Estimate(1.5, 0.25),
            new Evidence(Map.of("trust", 1.0), List.of(new Point(1, 2.5))),
            cycle % 2 == 0 ? null : new Outcome(0.5, -0.25));
    return HistoryEntry.of(
        cycle,
        1_700_000_000_000L + cycle,
        new HistoryEntry.Terms("ADAPTIVE", "NANOS", 1 << 27),
        sample,
        id -> "tree " + id,
        decision);
  }

  private Path file() {
    return directory.resolve("tuner.jsonl");
  }

  private HistoryReader.History read() {
    return HistoryReader.read(files, file());
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(read().entries()).isEmpty();
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      writer.append(entry(1));
      assertThat(read().entries()).as("while it is open").containsExactly(entry(1));
      writer.append(entry(2));
    }
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      writer.append(entry(3));
    }
    HistoryReader.History history = read();
    assertThat(history.entries()).containsExactly(entry(1), entry(2), entry(3));
    assertThat(history.brokenLines()).isZero();
    assertThat(history.entries().get(0).inputs())
        .isEqualTo(
            new HistoryEntry.Inputs(
                1001,
                new HistoryEntry.Moved(101, 22, 33, 44, 77),
                Map.of(ReadClass.QUERY, new ReadSample(9, 8, 7, 6)),
                TIMES,
                List.of(
                    new HistoryEntry.TreeInputs("tree 1", 0.5, 100, 50, 40, 5000),
                    new HistoryEntry.TreeInputs("tree 2", 0, 1, 5, 4, 5))));
  }

  /** A tree of which only merges wrote comes after those that were written. */
  @Test
  void theTreesThatWereWrittenMostAreDescribed() {
    List<TreeSample> trees =
        IntStream.range(0, 12)
            .mapToObj(id -> tree(id, id < 5 ? 1000 + id : 0, id == 9 ? 0 : id))
            .toList();
    assertThat(entry(1, sample(1, trees)).inputs().trees())
        .extracting(HistoryEntry.TreeInputs::name)
        .containsExactly(
            "tree 4", "tree 3", "tree 2", "tree 1", "tree 0", "tree 11", "tree 10", "tree 8");
    assertThat(entry(1, sample(1, trees.subList(8, 10))).inputs().trees())
        .as("without the tree at rest")
        .extracting(HistoryEntry.TreeInputs::name)
        .containsExactly("tree 8");
  }

  private static TreeSample tree(int id, long writtenBytes, long mergedBytes) {
    return new TreeSample(
        id,
        new TreeSample.Written(writtenBytes, writtenBytes),
        new TreeSample.Flushed(0, 0),
        mergedBytes,
        new TreeSample.Levels(5, 1, 10, 4, 4, 0, TreeSample.Growth.NONE),
        new TreeSample.Held(0, 0));
  }

  @Test
  void aLineSaysInPlainWordsWhatWasDecided() throws IOException {
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      writer.append(entry(1));
    }
    assertThat(Files.readAllLines(file()))
        .singleElement()
        .asString()
        .contains("\"cycle\":1", "\"rule\":\"DONOR\"", "\"predictedGain\":0.25")
        .contains("\"lastMove\":{\"predictedGain\":0.5,\"observedGain\":-0.25}")
        .contains("\"toBytes\":134217728", "\"flushedForLogBytes\":33");
  }

  @Test
  void theFilesStayBoundedAndKeepTheNewest() throws IOException {
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      for (int cycle = 0; cycle < 1000; cycle++) {
        writer.append(entry(cycle));
        long bytes = 0;
        for (Path part : List.of(file(), HistoryLines.older(file()))) {
          bytes += Files.exists(part) ? Files.size(part) : 0;
        }
        assertThat(bytes).isLessThanOrEqualTo(MOST_BYTES);
      }
    }
    List<HistoryEntry> entries = read().entries();
    assertThat(entries)
        .hasSizeGreaterThan(20)
        .isSubsetOf(entries.stream().map(e -> entry((int) e.cycle())).toList());
    assertThat(entries).extracting(HistoryEntry::cycle).isSorted();
    assertThat(entries.get(entries.size() - 1)).isEqualTo(entry(999));
    assertThat(entries.get(0).cycle()).isEqualTo(1000 - entries.size());
  }

  /** A process that ended while it wrote: the rest is there, and what comes later as well. */
  @Test
  void aLineThatWasNotWrittenToItsEndIsLeftOut() throws IOException {
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      writer.append(entry(1));
    }
    Files.write(file(), "{\"cycle\":2,\"atM".getBytes(UTF_8), StandardOpenOption.APPEND);
    assertThat(read().entries()).containsExactly(entry(1));
    assertThat(read().brokenLines()).isEqualTo(1);
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      writer.append(entry(3));
    }
    assertThat(read().entries()).containsExactly(entry(1), entry(3));
    assertThat(read().brokenLines()).isEqualTo(1);
  }

  @Test
  void theLastWholeEntryIsFoundWithoutTheOthers() throws IOException {
    assertThat(HistoryReader.last(files, file())).isNull();
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      for (int cycle = 0; cycle < 1000; cycle++) {
        writer.append(entry(cycle));
        assertThat(HistoryReader.last(files, file())).isEqualTo(entry(cycle));
      }
    }
    Files.write(file(), "{\"cycle\":2,\"atM".getBytes(UTF_8), StandardOpenOption.APPEND);
    assertThat(HistoryReader.last(files, file())).isEqualTo(entry(999));
    Files.write(file(), new byte[10_000], StandardOpenOption.APPEND);
    assertThat(HistoryReader.last(files, file())).isEqualTo(entry(999));
    Files.write(file(), new byte[100_000], StandardOpenOption.APPEND);
    assertThat(HistoryReader.last(files, file()))
        .as("too far from the end")
        .isNotEqualTo(entry(999));
    Files.delete(file());
    Files.writeString(HistoryLines.older(file()), HistoryLines.line(entry(7)) + "\n");
    Files.createFile(file());
    assertThat(HistoryReader.last(files, file())).as("of the older file").isEqualTo(entry(7));
  }

  /** A line is an entry only with all that readers go by. */
  @Test
  void whatIsNoEntryIsLeftOut() throws IOException {
    Files.writeString(file(), "{}\n[]\nnull\n7\n{\"cycle\":1,\"memory\":null}\n");
    assertThat(read().entries()).isEmpty();
    assertThat(read().brokenLines()).isEqualTo(5);
    assertThat(HistoryReader.last(files, file())).isNull();
  }

  /** A later version may say more. */
  @Test
  void whatIsNotKnownIsLeftOut() throws IOException {
    String line = HistoryLines.line(entry(1)).replaceFirst("\\{", "{\"new\":[1],");
    Files.writeString(file(), line + "\n");
    assertThat(read().entries()).containsExactly(entry(1));
  }

  /** Earlier versions described no trees, measured no times, and named no beginning. */
  @Test
  void anEntryOfAnEarlierVersionIsRead() throws IOException {
    String whole = HistoryLines.line(entry(1));
    String line = whole.replaceFirst(",\"trees\":\\[[^]]*]", "");
    assertThat(line).isNotEqualTo(whole);
    Files.writeString(file(), line + "\n");
    assertThat(read().entries())
        .singleElement()
        .extracting(entry -> entry.inputs().trees())
        .isEqualTo(List.of());
    String withoutBeside = line.replaceFirst(",\"beside\":\\{[^}]*}", "");
    assertThat(withoutBeside).isNotEqualTo(line);
    Files.writeString(file(), withoutBeside + "\n");
    assertThat(read().entries())
        .singleElement()
        .extracting(entry -> entry.inputs().times())
        .isEqualTo(new CycleTimes(11, 12, 13, 14, new ProcessorTimes(15, 16, 17)));
    String withoutProcessors = withoutBeside.replaceFirst(",\"processors\":\\{[^}]*}", "");
    Files.writeString(file(), withoutProcessors + "\n");
    assertThat(read().entries())
        .singleElement()
        .extracting(entry -> entry.inputs().times())
        .isEqualTo(new CycleTimes(11, 12, 13, 14));
    String withoutTimes = withoutProcessors.replaceFirst(",\"times\":\\{[^}]*}", "");
    assertThat(withoutTimes).isNotEqualTo(withoutProcessors);
    String earlier = withoutTimes.replaceFirst(",\"initialBytes\":\\d+", "");
    assertThat(earlier).isNotEqualTo(withoutTimes);
    Files.writeString(file(), earlier + "\n");
    assertThat(read().entries())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.inputs().times()).isEqualTo(CycleTimes.NONE);
              assertThat(entry.initialBytes()).isZero();
            });
  }

  @Test
  void worksOnTheFilesOfTheSimulation() {
    try (Simulation sim = Simulation.seeded(1)) {
      StorageFiles simulated = sim.env().files();
      Path path = sim.directory().resolve("tuner.jsonl");
      try (HistoryWriter writer = new HistoryWriter(simulated, path, MOST_BYTES)) {
        for (int cycle = 0; cycle < 100; cycle++) {
          writer.append(entry(cycle));
        }
      }
      List<HistoryEntry> entries = HistoryReader.read(simulated, path).entries();
      assertThat(entries.get(entries.size() - 1)).isEqualTo(entry(99));
    }
  }

  /** Files are short for a moment when a new one begins. */
  @Test
  void aFileThatCannotBeginBeginsLater() {
    for (IoKind kind : List.of(IoKind.RENAME, IoKind.CREATE)) {
      try (Simulation sim = Simulation.seeded(1)) {
        StorageFiles simulated = sim.env().files();
        Path path = sim.directory().resolve("tuner.jsonl");
        int[] lost = {-1};
        try (HistoryWriter writer = new HistoryWriter(simulated, path, MOST_BYTES)) {
          sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(kind));
          for (int cycle = 0; cycle < 60; cycle++) {
            try {
              writer.append(entry(cycle));
            } catch (StorageIoException e) {
              assertThat(lost[0]).as("%s: lost before %d", kind, cycle).isNegative();
              lost[0] = cycle;
            }
          }
        }
        assertThat(lost[0]).isPositive();
        assertThat(HistoryReader.read(simulated, path).entries())
            .containsExactlyElementsOf(
                IntStream.range(0, 60).filter(i -> i != lost[0]).mapToObj(i -> entry(i)).toList());
      }
    }
  }

  // ---- A file becomes the older one while another process reads.

  /**
   * Files of which something happens before one is opened.
   *
   * @param opening which one, from 0
   */
  private StorageFiles before(int opening, Runnable event) {
    int[] openings = new int[1];
    return (StorageFiles)
        Proxy.newProxyInstance(
            StorageFiles.class.getClassLoader(),
            new Class<?>[] {StorageFiles.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open") && openings[0]++ == opening) {
                event.run();
              }
              try {
                return method.invoke(files, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Appends entries until another file begins; returns the number of the next one. */
  private static int appendFile(HistoryWriter writer, Path path, int from) {
    int cycle = from;
    String before = firstLine(path);
    do {
      writer.append(entry(cycle++));
    } while (cycle <= from + 1 || before.equals(firstLine(path)));
    return cycle;
  }

  private static String firstLine(Path path) {
    try (Stream<String> lines = Files.lines(path)) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void rename() {
    files.rename(file(), HistoryLines.older(file()));
  }

  @Test
  void aReaderMissesNothingBetweenTwoFiles() {
    for (int opening = 0; opening < 2; opening++) {
      Path path = directory.resolve("history" + opening);
      try (HistoryWriter writer = new HistoryWriter(files, path, MOST_BYTES)) {
        int written = appendFile(writer, path, appendFile(writer, path, 0));
        Runnable rename = () -> appendFile(writer, path, written);
        List<HistoryEntry> entries = HistoryReader.read(before(opening, rename), path).entries();
        int from = (int) entries.get(0).cycle();
        int to = from + entries.size();
        assertThat(written - 1).isBetween(from, to - 1);
        assertThat(entries)
            .containsExactlyElementsOf(IntStream.range(from, to).mapToObj(i -> entry(i)).toList());
      }
    }
  }

  @Test
  void aFileThatIsRenamedBeforeItIsOpenedIsTheOlderOne() {
    try (HistoryWriter writer = new HistoryWriter(files, file(), MOST_BYTES)) {
      writer.append(entry(1));
      writer.append(entry(2));
    }
    assertThat(HistoryReader.last(before(0, this::rename), file())).isEqualTo(entry(2));
    files.rename(HistoryLines.older(file()), file());
    assertThat(HistoryReader.read(before(0, this::rename), file()).entries())
        .containsExactly(entry(1), entry(2));
  }

  @Test
  void aTinyBoundIsRefused() {
    assertThatThrownBy(() -> new HistoryWriter(files, file(), 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mostBytes: 100, must be at least 65536");
  }
}
