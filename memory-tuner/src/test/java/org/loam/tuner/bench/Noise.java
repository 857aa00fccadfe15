package org.loam.tuner.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ProcessorTimes;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.Rereads;
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
        beside(sample.times(), 1 / factor, 1));
  }

  private static CycleTimes beside(CycleTimes times, double requests, double nanos) {
    return new CycleTimes(
        Math.round(times.missNanos() * nanos),
        times.mergeReadNanos(),
        times.writtenBytes(),
        times.writeNanos(),
        times.processors(),
        new CycleTimes.Beside(
            Math.round(times.beside().requests() * requests),
            Math.round(times.beside().nanos() * nanos)));
  }

  /** Times of misses times a factor, and those of writes divided by it. */
  static CycleSample onTimes(CycleSample sample, double factor) {
    CycleTimes times = beside(sample.times(), 1, factor);
    long writeNanos = Math.round(times.writeNanos() / factor);
    return with(sample, with(times, writeNanos, times.processors(), times.beside()));
  }

  /**
   * Processors were busy.
   *
   * @param part of them that was
   * @param nanosPerByte processor time for each byte that flushes and merges wrote
   */
  static CycleSample busy(CycleSample sample, double part, double nanosPerByte) {
    CycleTimes times = sample.times();
    ProcessorTimes processors =
        new ProcessorTimes(
            SECOND_NANOS,
            Math.round(SECOND_NANOS * part),
            Math.round(times.writtenBytes() * nanosPerByte));
    return with(sample, with(times, times.writeNanos(), processors, times.beside()));
  }

  /** It is not known which writes are of keys that write memory has. */
  static CycleSample withoutRewrites(CycleSample sample) {
    Rewrites rewrites = sample.curves().rewrites();
    return with(sample, new Rewrites(MissCurve.UNKNOWN, rewrites.missed(), rewrites.spared()));
  }

  /** It is not known which misses are of keys that were written of late. */
  static CycleSample withoutRereads(CycleSample sample) {
    return with(
        sample,
        new Rewrites(sample.curves().rewrites().flushed(), Rereads.UNKNOWN, Rereads.UNKNOWN));
  }

  /** It is not known which misses began beside flushes and merges. */
  static CycleSample withoutBeside(CycleSample sample) {
    CycleTimes times = sample.times();
    return with(
        sample, with(times, times.writeNanos(), times.processors(), CycleTimes.Beside.NONE));
  }

  private static CycleTimes with(
      CycleTimes times, long writeNanos, ProcessorTimes processors, CycleTimes.Beside beside) {
    return new CycleTimes(
        times.missNanos(),
        times.mergeReadNanos(),
        times.writtenBytes(),
        writeNanos,
        processors,
        beside);
  }

  private static CycleSample with(CycleSample sample, Rewrites rewrites) {
    return new CycleSample(
        sample.operations(),
        sample.trees(),
        sample.reads(),
        sample.memory(),
        sample.log(),
        new Curves(sample.curves().misses(), rewrites),
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
