package org.loam.tuner.ghost;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.Require;
import org.loam.tuner.cost.Rereads;

/**
 * How often memory of each size would miss, from a sample of ids in fixed space (SHARDS:
 * Waldspurger et al., FAST 2015). Thread-safe; an access that is not sampled costs a hash and a
 * comparison, one that is sampled takes a short lock, unless it is of the same id as the last one.
 *
 * <p>An id is sampled if its hash is below a limit, in all of its uses. The number of other sampled
 * ids since its last use, divided by the rate, estimates how many different ids were used: memory
 * for as many keeps it. Distances beyond the budget do not matter, so the rate follows from the
 * budget and from the ids that are kept, and never changes.
 *
 * <p>Ids may belong to parts that share memory, each with a share of its own. Then an id stays for
 * as long as fewer of its part were used than the share holds. Its distance is that number of ids,
 * divided by the share: the size of the memory from which on it is there.
 *
 * <p>As in SHARDS_adj, accesses that the sample has too few or too many of count at distance 0:
 * what makes the difference are a few ids that are used very often.
 */
public final class ReuseSampler {
  /**
   * What is known at the end of a cycle.
   *
   * @param misses of a use, by the size of the memory
   * @param missed ids that were missed elsewhere, and were used within the span before
   * @param spared these, and ids that smaller memory elsewhere would miss
   */
  public record Reuses(MissCurve misses, Rereads missed, Rereads spared) {
    /** There was no use. */
    public static final Reuses UNKNOWN =
        new Reuses(MissCurve.UNKNOWN, Rereads.UNKNOWN, Rereads.UNKNOWN);
  }

  /** Points of a curve. */
  private static final int POINTS = 256;

  /** Parts that are counted apart: the bits of each take 3 KiB. */
  private static final int MOST_PARTS = 64;

  /** Ids of parts are kept until so many times what memory holds were used. */
  private static final int KEPT_OF_PARTS = 3;

  /** What uses count after a cycle that had as many as the span or more. */
  private static final double KEPT = 0.3;

  private final long span;
  private final double rate;
  private final long hashLimit;

  /**
   * The id of the last sampled use; before the first one an id like others. One more use of it
   * counts at distance 0, where {@code curve} puts what the sample lacks. So all readers of a root
   * that is in the sample take no lock for it.
   */
  private volatile long latest = Long.MIN_VALUE;

  @GuardedBy("this")
  private final IdQueue lastUses;

  /** Of memory, by the group of {@link #lastUses}. */
  @GuardedBy("this")
  private double[] shares = {1};

  /** Sampled uses by the number of sampled ids since the last use. */
  @GuardedBy("this")
  private final double[] distances;

  /** Sampled uses of ids that were not used before, or too long ago. */
  @GuardedBy("this")
  private double far;

  /** Misses of sampled ids, by the number of sampled ids since the last use. */
  @GuardedBy("this")
  private final double[] missed;

  /**
   * The same of ids that memory elsewhere would miss if it were smaller, by the number of sampled
   * ids that fit where it misses them and this memory has them.
   */
  @GuardedBy("this")
  private final double[] spared;

  /** Uses that a sample of this rate should have, those of older cycles aged. */
  @GuardedBy("this")
  private double expected;

  /**
   * @param mostIds sampled ids that are kept
   * @param span the greatest distance of interest: ids that fit into the whole budget
   */
  public ReuseSampler(int mostIds, long span) {
    this(mostIds, span, 1);
  }

  /**
   * A sampler of ids that belong to parts. It keeps more of them: a part whose ids are used again
   * soon has more of memory than of the last ids of all.
   */
  public static ReuseSampler ofParts(int mostIds, long span) {
    return new ReuseSampler(mostIds, span, KEPT_OF_PARTS);
  }

  private ReuseSampler(int mostIds, long span, int spans) {
    Require.atLeast("mostIds", mostIds, 1);
    Require.atLeast("span", span, 1);
    this.span = span;
    this.rate = Math.min(1, (double) mostIds / span);
    this.hashLimit = (long) (rate * (1L << Integer.SIZE));
    int kept = (int) Math.min(mostIds, span);
    this.lastUses = new IdQueue(spans * kept);
    this.distances = new double[kept];
    this.missed = new double[kept];
    this.spared = new double[kept];
  }

  /** The part of ids that is sampled. */
  public double rate() {
    return rate;
  }

  /** Whether an id is in the sample. */
  public boolean samples(long id) {
    return samplesHash(IdQueue.hash(id));
  }

  private boolean samplesHash(long hash) {
    return hash >>> Integer.SIZE < hashLimit;
  }

  /** An id is used. */
  public void used(long id) {
    used(id, IdQueue.hash(id));
  }

  /** An id of a part is used. */
  public void usedOf(int part, long id) {
    used(part, id, IdQueue.hash(id));
  }

  /**
   * An id is used whose hash is at hand.
   *
   * @param hash always the same of an id; the high half of its bits chooses the sample
   */
  public void used(long id, long hash) {
    used(0, id, hash);
  }

  private void used(int part, long id, long hash) {
    if (samplesHash(hash) && id != latest) {
      sampled(part, id);
    }
  }

  private synchronized void sampled(int part, long id) {
    int distance = distance(id);
    if (distance < 0) {
      far++;
    } else {
      distances[distance]++;
    }
    lastUses.add(id, part);
    latest = id;
  }

  /** Sampled ids that memory has to hold to have this one; below 0 if that is more than all. */
  @GuardedBy("this")
  private int distance(long id) {
    if (!lastUses.contains(id)) {
      return -1;
    }
    double needed = (lastUses.newerOfItsGroup(id) + 0.5) / shares[lastUses.groupOf(id)];
    return needed < distances.length ? (int) needed : -1;
  }

  /**
   * Parts share memory so from now on. The largest are counted apart, the others together.
   *
   * @param ofParts the share of each, of 1 in all
   */
  public synchronized void share(Map<Integer, Double> ofParts) {
    int[] largest =
        ofParts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
            .limit(MOST_PARTS)
            .mapToInt(Map.Entry::getKey)
            .sorted()
            .toArray();
    double[] each = IntStream.of(largest).mapToDouble(ofParts::get).toArray();
    double others = Math.max(1.0 / distances.length, 1 - DoubleStream.of(each).sum());
    shares = DoubleStream.concat(DoubleStream.of(each), DoubleStream.of(others)).toArray();
    lastUses.countApart(largest);
  }

  /** {@link #usedSince(long, long)} of an id whose hash is not at hand. */
  public double usedSince(long id) {
    return usedSince(id, IdQueue.hash(id));
  }

  /**
   * How many other ids were used since the last use of an id, about; below 0 if that is not known,
   * since it is not in the sample, or was not used, or too long ago. No use of the id.
   *
   * @param hash as in {@link #used(long, long)}
   */
  public double usedSince(long id, long hash) {
    return samplesHash(hash) ? sampledSince(id) : -1;
  }

  private synchronized double sampledSince(long id) {
    int distance = lastUses.newerThan(id);
    return distance < 0 ? -1 : distance / rate;
  }

  /**
   * An id in the sample was missed elsewhere, which is no use of it. Counts if it is among those
   * kept.
   */
  public synchronized void missed(long id) {
    int distance = distance(id);
    if (distance >= 0) {
      missed[distance]++;
    }
  }

  /**
   * An id in the sample would be missed elsewhere, if this memory were larger at the cost of that.
   *
   * @param fromIds the ids that would fit here where it would begin to be missed
   * @param misses how many misses it stands for
   */
  public synchronized void wouldMiss(long id, double fromIds, double misses) {
    int distance = distance(id);
    if (distance >= 0 && fromIds < span) {
      int from = (int) (Math.max(0, fromIds) * rate);
      spared[Math.min(spared.length - 1, Math.max(distance, from))] += misses;
    }
  }

  /**
   * What is known of the uses and misses so far, which then count less than the next ones. A cycle
   * with few uses makes them count little less, so that an idle engine does not forget.
   *
   * @param uses all uses since the last call, sampled or not
   * @param idBytes memory for one id
   */
  public synchronized Reuses endCycle(long uses, double idBytes) {
    Require.atLeast("uses", uses, 0);
    double kept = Math.pow(KEPT, Math.min(1, (double) uses / span));
    expected += uses * rate;
    Reuses reuses = reuses(idBytes);
    for (int i = 0; i < distances.length; i++) {
      distances[i] *= kept;
      missed[i] *= kept;
      spared[i] *= kept;
    }
    far *= kept;
    expected *= kept;
    return reuses;
  }

  @GuardedBy("this")
  private Reuses reuses(double idBytes) {
    double sampled = far + Arrays.stream(distances).sum();
    if (sampled == 0 || expected == 0) {
      return Reuses.UNKNOWN;
    }
    double[] all = spared.clone();
    for (int i = 0; i < all.length; i++) {
      all[i] += missed[i];
    }
    return new Reuses(
        curve(idBytes, distances, expected - sampled, expected),
        rereads(idBytes, missed),
        rereads(idBytes, all));
  }

  @GuardedBy("this")
  private Rereads rereads(double idBytes, double[] counts) {
    double sum = Arrays.stream(counts).sum();
    return sum == 0 ? Rereads.UNKNOWN : new Rereads(sum / expected, curve(idBytes, counts, 0, sum));
  }

  /**
   * @param hits what any memory hits
   * @param all what a memory of no size misses
   */
  private MissCurve curve(double idBytes, double[] counts, double hits, double all) {
    int points = Math.min(POINTS, counts.length);
    double[] bytes = new double[points + 1];
    double[] ratios = new double[points + 1];
    ratios[0] = 1;
    double found = hits;
    int distance = 0;
    for (int point = 1; point <= points; point++) {
      int end = (int) ((long) counts.length * point / points);
      for (; distance < end; distance++) {
        found += counts[distance];
      }
      bytes[point] = end / rate * idBytes;
      ratios[point] = Math.min(ratios[point - 1], Math.max(0, 1 - found / all));
    }
    return MissCurve.of(bytes, ratios);
  }
}
