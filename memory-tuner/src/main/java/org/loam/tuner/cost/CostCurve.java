package org.loam.tuner.cost;

import java.util.function.ToDoubleFunction;

/**
 * What an operation like those of a cycle would cost at every split, if memory had been divided so
 * for long. Immutable.
 *
 * <p>Misses follow the miss curve, less those whose key another write memory would have: readers
 * find what was written last there, and come to no page. Flushes are what entered the write memory,
 * and follow the curve of rewrites: a larger write memory takes more writes of a key together. What
 * entered while memory was filling is more than enters when it is full. What entered beyond all
 * that the curve explains, for the sake of the log for instance, enters at every split: where
 * memory has all keys that are updated, the curve is noise or 0. Merges follow flushes and the
 * levels that the engine would give a tree ({@link MergeCosts}).
 *
 * <p>Write memory that would only be filled by a longer log gains nothing: where the log causes
 * most flushes, memory beyond what is used now counts as no larger.
 */
public final class CostCurve {
  /** A curve is off by this factor at most; beyond it, the cycle says little about it. */
  private static final double MOST_CORRECTION = 3;

  /** Trees whose sizes differ by more than this part cost another amount at the same split. */
  private static final double NEAR_SIZE = 0.02;

  /** Where fewer writes are of keys that all memory would have, they say nothing of readers. */
  private static final double LEAST_BEYOND = 0.01;

  private final CycleSample sample;
  private final Objective objective;
  private final MergeCosts merges;
  private final Rates rates;
  private final double usableBytes;
  private final double missFactor;

  /** What was written, and what entered write memory for good. */
  private final double writtenBytes;

  private final double enteredBytes;

  /**
   * The costs of a cycle as a curve.
   *
   * @param merges what trees merge; has this cycle, too
   */
  public CostCurve(CycleSample sample, Objective objective, MergeCosts merges) {
    this.sample = sample;
    this.objective = objective;
    this.merges = merges;
    this.rates = Rates.of(sample);
    this.writtenBytes = sum(tree -> (double) tree.written().bytes());
    this.enteredBytes = sum(tree -> (double) tree.steadyFlushBytes());
    this.usableBytes = usableBytes();
    this.missFactor = missFactor();
  }

  /**
   * The write memory beyond which only a longer log would help: no more than enters memory while
   * the log grows by its length; and the larger the part of flushes that the log causes, the nearer
   * is what is used now.
   */
  private double usableBytes() {
    double forLog = 0;
    double flushed = 0;
    double used = 0;
    for (TreeSample tree : sample.trees()) {
      forLog += tree.flushed().forLogBytes();
      flushed += tree.flushed().bytes();
      used += tree.share() * sample.memory().writeBytes();
    }
    LogSample log = sample.log();
    double inLog =
        log.grownBytes() > 0
            ? enteredBytes * log.maxBytes() / log.grownBytes()
            : Double.POSITIVE_INFINITY;
    double byCause = forLog > 0 ? used * flushed / forLog : Double.POSITIVE_INFINITY;
    return Math.max(used, Math.min(inLog, byCause));
  }

  /** The same cycle with other costs of requests or other weights. */
  public CostCurve with(Objective changed) {
    return new CostCurve(sample, changed, merges);
  }

  /** The cost of misses at a ratio of 1, so that the curve goes through what was measured. */
  private double missFactor() {
    double expected = rates.pins() * objective.model().misses().of(1, sample.memory().pageBytes());
    double now = expected * sample.curves().misses().ratio((double) sample.memory().cacheBytes());
    double correction = now > 0 ? missesNow() / now : 1;
    return expected * Math.max(1 / MOST_CORRECTION, Math.min(MOST_CORRECTION, correction));
  }

  private double missesNow() {
    return CycleCost.of(sample, objective.model()).misses();
  }

  /** Weighted cost of an operation with another write memory. */
  public double at(double writeBytes) {
    return writing(writeBytes) + reading(writeBytes);
  }

  /**
   * The same, if the operations were those of a later cycle: as many reads and writes of each, at
   * the costs of this one.
   */
  public double atRatesOf(CostCurve later, double writeBytes) {
    return writing(writeBytes) * factor(later.rates.entries(), rates.entries())
        + reading(writeBytes) * readFactor(later);
  }

  /** Whether users read and write about as much in an operation as in those of a later cycle. */
  public boolean hasRatesOf(CostCurve later) {
    return rates.haveMixOf(later.rates) && Rates.areNear(readFactor(later), 1);
  }

  /**
   * What users read in an operation of a later cycle, as a multiple. A larger write memory answers
   * more reads, so that fewer pages are asked for; users do not read less for that. So only more
   * pages with a larger write memory, and fewer with a smaller one, are the doing of users.
   */
  private double readFactor(CostCurve later) {
    double pages = factor(later.rates.pins(), rates.pins());
    boolean isLarger = later.sample.memory().writeBytes() > sample.memory().writeBytes();
    return isLarger ? Math.max(1, pages) : Math.min(1, pages);
  }

  /** Whether trees are about as large as in another cycle, all together. */
  public boolean hasSizeOf(CostCurve other) {
    double now = lastBytes(sample);
    double then = lastBytes(other.sample);
    return Math.abs(now - then) <= NEAR_SIZE * Math.max(now, then);
  }

  private static double lastBytes(CycleSample sample) {
    return sample.trees().stream().mapToDouble(tree -> tree.levels().lastBytes()).sum();
  }

  private double sum(ToDoubleFunction<TreeSample> bytes) {
    return sample.trees().stream().mapToDouble(bytes).sum();
  }

  private static double factor(double to, double from) {
    return from > 0 ? to / from : 1;
  }

  private double writing(double writeBytes) {
    double x = Math.min(writeBytes, usableBytes);
    double present = Math.min((double) sample.memory().writeBytes(), usableBytes);
    double full = entering(x, present);
    double filling = entering(x, filledBytes(present));
    // Where nothing entered, there is nothing to take a multiple of.
    double more = ratio(x) - ratio(present);
    double flushed = 0;
    double merged = 0;
    for (TreeSample tree : sample.trees()) {
      long grown = tree.held().grownBytes();
      double flush =
          enteredBytes > 0
              ? tree.flushed().bytes() * full + grown * (grown > 0 ? filling : full)
              : tree.written().bytes() * more;
      flush = Math.max(0, flush);
      flushed += flush;
      merged += flush * perFlushedByte(tree, present, x);
    }
    CostModel model = objective.model();
    Weights weights = objective.weights();
    double writes = model.writeCost(flushed) + model.writeCost(merged);
    double reads = model.streamReads().of(merged / model.streamBytes(), merged);
    return (weights.writes() * writes + weights.reads() * reads) / Math.max(1, sample.operations());
  }

  /**
   * What enters a write memory of a size, of what entered one of another size in the cycle. More
   * than the curve has there is unexplained, and enters both.
   */
  private double entering(double writeBytes, double otherBytes) {
    double other = ratio(otherBytes);
    double unexplained =
        writtenBytes > 0 ? Math.max(0, enteredBytes / writtenBytes / MOST_CORRECTION - other) : 0;
    double entered = other + unexplained;
    return entered > 0 ? (ratio(writeBytes) + unexplained) / entered : 1;
  }

  private double ratio(double writeBytes) {
    return sample.curves().rewrites().flushed().ratio(writeBytes);
  }

  /** What was used when the half of what memory grew by had entered. */
  private double filledBytes(double present) {
    double used = 0;
    double grown = 0;
    for (TreeSample tree : sample.trees()) {
      used += tree.share() * sample.memory().writeBytes();
      grown += tree.held().grownBytes();
    }
    double half = Math.max(0, grown) / 2;
    return Math.max(0, Math.min(present, used + half) - half);
  }

  private double perFlushedByte(TreeSample tree, double present, double x) {
    double share = share(tree, present);
    return merges.perFlushedByte(tree, share * x, share * present);
  }

  /** The part of the usable memory that a tree has. */
  private double share(TreeSample tree, double present) {
    return present > 0 ? Math.min(1, tree.share() * sample.memory().writeBytes() / present) : 0;
  }

  /**
   * A cache fills with what is missed. Where write memory spares a part of that, the pages of the
   * cache stay for as much longer as in a cache that is larger by this part.
   */
  private double reading(double writeBytes) {
    MissCurve misses = sample.curves().misses();
    double cache = sample.memory().totalBytes() - writeBytes;
    double missed = 1 - servedPart(writeBytes);
    double cost =
        misses.isKnown() && missed > 0 ? missFactor * misses.ratio(cache / missed) : missesNow();
    return objective.weights().reads() * cost * missed;
  }

  /**
   * The part of the misses beside another write memory whose key it would have; below 0 if it is
   * smaller.
   */
  private double servedPart(double writeBytes) {
    double x = Math.min(writeBytes, usableBytes);
    double present = Math.min((double) sample.memory().writeBytes(), usableBytes);
    if (x < present) {
      return rereadPart() * kept(x, present);
    }
    Rereads spared = sample.curves().rewrites().spared();
    double part = partOfMisses(spared) * (spared.left().ratio(present) - spared.left().ratio(x));
    return Math.min(1, part / Math.max(1, missedAt(writeBytes)));
  }

  /** Misses of the cache beside a write memory, of those now. */
  private double missedAt(double writeBytes) {
    MissCurve misses = sample.curves().misses();
    double cache = sample.memory().totalBytes() - writeBytes;
    return factor(misses.ratio(cache), misses.ratio((double) sample.memory().cacheBytes()));
  }

  /** The part of the misses whose key was written of late, so that all memory would have it. */
  public double rereadPart() {
    return partOfMisses(sample.curves().rewrites().missed());
  }

  private double partOfMisses(Rereads rereads) {
    double missed = missedRequests();
    return missed == 0
        ? 0
        : rereads.perWrite() * sum(tree -> (double) tree.written().entries()) / missed;
  }

  /**
   * What readers would miss more, below 0. Keys that are there are not missed now; as many are
   * taken to be for each that is written again, as of those that a memory twice as large would
   * have.
   */
  private double kept(double x, double present) {
    double written = ratio(present) - ratio(2 * present);
    MissCurve left = sample.curves().rewrites().missed().left();
    double missed = left.ratio(present) - left.ratio(2 * present);
    return written < LEAST_BEYOND ? 0 : (ratio(present) - ratio(x)) * missed / written;
  }

  private double missedRequests() {
    double requests = 0;
    for (ReadClass readClass : ReadClass.values()) {
      requests += readClass == ReadClass.MERGE ? 0 : sample.reads(readClass).requests();
    }
    return requests;
  }
}
