package org.loam.tuner.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.ProcessorTimes;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.Rewrites;
import org.loam.tuner.cost.TreeSample;

/** Counts that are not quite what happened. */
final class Noise {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private Noise() {}

  /** Merged bytes times a factor, and misses divided by it. */
  static CycleSample on(CycleSample sample, double factor) {
    List<TreeSample> trees =
        sample.trees().stream()
            .map(
                tree ->
                    new TreeSample(
                        tree.treeId(),
                        tree.written(),
                        tree.flushed(),
                        Math.round(tree.mergedBytes() * factor),
                        tree.levels(),
                        tree.held()))
            .toList();
    Map<ReadClass, ReadSample> reads = new EnumMap<>(sample.reads());
    ReadSample query = sample.reads(ReadClass.QUERY);
    long missed = Math.round(query.missedPages() / factor);
    reads.put(
        ReadClass.QUERY,
        new ReadSample(query.pins(), missed, missed, Math.min(missed, query.savedPages())));
    return new CycleSample(
        sample.operations(),
        trees,
        reads,
        sample.memory(),
        sample.log(),
        sample.curves(),
        sample.times());
  }

  /** Times of misses times a factor, and those of writes divided by it. */
  static CycleSample onTimes(CycleSample sample, double factor) {
    CycleTimes times = sample.times();
    return with(
        sample,
        new CycleTimes(
            Math.round(times.missNanos() * factor),
            times.mergeReadNanos(),
            times.writtenBytes(),
            Math.round(times.writeNanos() / factor)));
  }

  /**
   * Processors were busy.
   *
   * @param part of them that was
   * @param nanosPerByte processor time for each byte that flushes and merges wrote
   */
  static CycleSample busy(CycleSample sample, double part, double nanosPerByte) {
    CycleTimes times = sample.times();
    return with(
        sample,
        new CycleTimes(
            times.missNanos(),
            times.mergeReadNanos(),
            times.writtenBytes(),
            times.writeNanos(),
            new ProcessorTimes(
                SECOND_NANOS,
                Math.round(SECOND_NANOS * part),
                Math.round(times.writtenBytes() * nanosPerByte))));
  }

  /** It is not known which writes are of keys that write memory has. */
  static CycleSample withoutRewrites(CycleSample sample) {
    return new CycleSample(
        sample.operations(),
        sample.trees(),
        sample.reads(),
        sample.memory(),
        sample.log(),
        new Curves(sample.curves().misses(), Rewrites.UNKNOWN),
        sample.times());
  }

  private static CycleSample with(CycleSample sample, CycleTimes times) {
    return new CycleSample(
        sample.operations(),
        sample.trees(),
        sample.reads(),
        sample.memory(),
        sample.log(),
        sample.curves(),
        times);
  }
}
