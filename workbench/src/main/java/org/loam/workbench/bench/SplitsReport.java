package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.loam.workbench.bench.KvReport.RoundResult;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench splits --json} prints.
 *
 * @param splits one for each workload and split: the median round
 * @param verdicts of each workload and start of the tuner
 * @param rounds all that was measured, in order of time
 * @param notes what a reader should know
 * @param settings that all rounds had
 * @param machine that it ran on
 */
record SplitsReport(
    @JsonProperty("splits") List<Split> splits,
    @JsonProperty("verdicts") List<Verdict> verdicts,
    @JsonProperty("rounds") List<RoundResult> rounds,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("settings") KvReport.Settings settings,
    @JsonProperty("machine") Machine machine) {

  /** The tuner may be so much slower than the best split, even if rounds hardly differ. */
  private static final double ALLOWED_LOSS = 0.05;

  /** Rounds that differ by more than this show nothing, and do not make a verdict good. */
  private static final double MOST_SPREAD = 0.15;

  private static final String ROW = "%-12s %-20s %11s %21s %9s %13s%n";

  /**
   * One split of the memory under one workload.
   *
   * @param workload its name
   * @param name as in the table
   * @param tuned whether the tuner moves memory
   * @param startPercent write memory at the start, of all memory
   * @param endWriteBytes write memory at the end of the median round
   * @param opsPerSecond of the median round
   * @param rounds operations per second of each round
   */
  record Split(
      @JsonProperty("workload") String workload,
      @JsonProperty("name") String name,
      @JsonProperty("tuned") boolean tuned,
      @JsonProperty("startPercent") int startPercent,
      @JsonProperty("endWriteBytes") long endWriteBytes,
      @JsonProperty("opsPerSecond") double opsPerSecond,
      @JsonProperty("rounds") List<Double> rounds) {
    /** How far rounds are apart, of the median. */
    double spread() {
      double least = rounds.stream().mapToDouble(r -> r).min().orElse(0);
      double most = rounds.stream().mapToDouble(r -> r).max().orElse(0);
      return (most - least) / opsPerSecond;
    }
  }

  /**
   * The tuner beside a split that stays.
   *
   * @param workload its name
   * @param tuned name of the split that the tuner began with
   * @param against name of the one that stays
   * @param isBest whether that is the fastest of all
   * @param part operations per second of the tuner, divided by those of the other
   * @param least what the part has to be
   */
  record Verdict(
      @JsonProperty("workload") String workload,
      @JsonProperty("tuned") String tuned,
      @JsonProperty("against") String against,
      @JsonProperty("isBest") boolean isBest,
      @JsonProperty("part") double part,
      @JsonProperty("least") double least) {
    @JsonProperty("passed")
    boolean passed() {
      return part >= least;
    }
  }

  /** One of the measured splits, of which the rounds are those of its name. */
  record Point(String name, boolean tuned, int startPercent) {}

  /** The median of the rounds of each point. */
  static List<Split> splits(List<Point> points, List<RoundResult> rounds) {
    List<Split> splits = new ArrayList<>();
    List<String> workloads = rounds.stream().map(SplitsReport::workload).distinct().toList();
    for (String workload : workloads) {
      for (Point point : points) {
        List<RoundResult> own =
            rounds.stream()
                .filter(r -> r.engine().equals(point.name()) && workload(r).equals(workload))
                .sorted(Comparator.comparingDouble(SplitsReport::opsPerSecond))
                .toList();
        RoundResult median = own.get((own.size() - 1) / 2);
        splits.add(
            new Split(
                workload,
                point.name(),
                point.tuned(),
                point.startPercent(),
                median.process().writeMemoryBytes(),
                opsPerSecond(median),
                own.stream().map(SplitsReport::opsPerSecond).toList()));
      }
    }
    return splits;
  }

  private static String workload(RoundResult round) {
    return round.rows().get(0).workload();
  }

  private static double opsPerSecond(RoundResult round) {
    return round.rows().get(0).opsPerSecond();
  }

  /**
   * Whether the tuner, wherever it starts, comes within 5 % of the fastest split, or within what
   * rounds of that split differ by; and whether it is as fast as some splits, apart from what their
   * rounds differ by. What rounds of the tuner differ by excuses nothing: a tuner that is bad in
   * one round of three would excuse itself.
   *
   * @param noWorseThan percents of those splits
   */
  static List<Verdict> verdicts(List<Split> splits, List<Integer> noWorseThan) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Split tuned : splits) {
      if (tuned.tuned()) {
        List<Split> staying =
            splits.stream()
                .filter(s -> !s.tuned() && s.workload().equals(tuned.workload()))
                .toList();
        Split best =
            staying.stream().max(Comparator.comparingDouble(Split::opsPerSecond)).orElseThrow();
        for (Split split : staying) {
          if (split.equals(best) || noWorseThan.contains(split.startPercent())) {
            verdicts.add(verdict(tuned, split, split.equals(best)));
          }
        }
      }
    }
    return verdicts;
  }

  private static Verdict verdict(Split tuned, Split against, boolean isBest) {
    double spread = Math.min(MOST_SPREAD, against.spread());
    double loss = isBest ? Math.max(ALLOWED_LOSS, spread) : spread;
    return new Verdict(
        tuned.workload(),
        tuned.name(),
        against.name(),
        isBest,
        tuned.opsPerSecond() / against.opsPerSecond(),
        1 - loss);
  }

  /** Whether all verdicts are good. */
  boolean passed() {
    return verdicts.stream().allMatch(Verdict::passed);
  }

  /** As lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT, ROW, "workload", "split", "ops/s", "rounds", "spread", "at the end"));
    for (Split split : splits) {
      LongStream rounds = split.rounds().stream().mapToLong(Math::round);
      text.append(
          String.format(
              Locale.ROOT,
              ROW,
              split.workload(),
              split.name(),
              Figures.whole(split.opsPerSecond()),
              rounds.mapToObj(Long::toString).reduce((a, b) -> a + " " + b).orElse(""),
              String.format(Locale.ROOT, "%.1f %%", 100 * split.spread()),
              String.format(Locale.ROOT, "%.1f MiB", split.endWriteBytes() / (double) (1 << 20))));
    }
    for (Verdict verdict : verdicts) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s: %s, %s reaches %.1f %% of %s%s, must be %.1f %%%n",
              verdict.passed() ? "PASS" : "FAIL",
              verdict.workload(),
              verdict.tuned(),
              100 * verdict.part(),
              verdict.isBest() ? "the best, " : "",
              verdict.against(),
              100 * verdict.least()));
    }
    return text.toString();
  }
}
