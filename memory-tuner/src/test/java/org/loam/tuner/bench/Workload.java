package org.loam.tuner.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Trees, and which of them operations go to.
 *
 * @param name how it is called
 * @param trees all of them
 */
record Workload(String name, List<Tree> trees) {
  /** Keys of all trees together, of 1 KiB each: 320 MiB of data in 20,000 pages. */
  static final int KEYS = 320_000;

  /**
   * One tree.
   *
   * @param keys that it has
   * @param writeShare of all writes
   * @param readShare of all reads
   * @param writes the keys that are written
   * @param reads the keys that are read
   * @param isRing whether the keys are written one after the other
   */
  record Tree(
      int keys,
      double writeShare,
      double readShare,
      Pattern writes,
      Pattern reads,
      boolean isRing) {}

  /**
   * Ten trees; two of them have 80 % of the operations; a Zipf distribution within each. Half of
   * the reads are of keys that are written as often, the others of keys that are popular with
   * readers alone. So a quarter to 60 % of the memory for writes miss nearly as much, as YCSB A in
   * an engine (RESULTS.md).
   */
  static Workload ycsb() {
    return ycsb("YCSB", 0.5);
  }

  /** The same, where no reader prefers what is written. */
  static Workload ycsbApart() {
    return ycsb("YCSB, readers apart", 0);
  }

  private static Workload ycsb(String name, double readsOfWritten) {
    List<Tree> trees = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      double share = i < 2 ? 0.4 : 0.025;
      Pattern keys = Pattern.zipf(KEYS / 10, 0.99);
      Pattern others = Pattern.otherZipf(KEYS / 10, 0.99);
      Pattern reads = Pattern.either(keys, readsOfWritten, others);
      trees.add(new Tree(KEYS / 10, share, share, keys, reads, false));
    }
    return new Workload(name, trees);
  }

  /** Stock, customers, items, orders and their lines: the larger trees of TPC-C, of steady size. */
  static Workload tpcc() {
    Pattern stock = Pattern.nuRand(100_000, 13);
    Pattern customers = Pattern.nuRand(60_000, 10);
    List<Tree> trees = new ArrayList<>();
    trees.add(new Tree(100_000, 0.44, 0.40, stock, stock, false));
    trees.add(new Tree(60_000, 0.05, 0.15, customers, customers, false));
    trees.add(new Tree(10_000, 0, 0.20, Pattern.uniform(10_000), Pattern.uniform(10_000), false));
    trees.add(ring(110_000, 0.43, 0.20, 4000));
    trees.add(ring(20_000, 0.05, 0.05, 1000));
    trees.add(ring(20_000, 0.03, 0, 1000));
    return new Workload("TPC-C", trees);
  }

  /** One tree, all keys of which are written as often, and some pages are read more than others. */
  static Workload uniform() {
    Pattern reads = Pattern.otherZipf(KEYS, 0.99);
    return new Workload(
        "uniform", List.of(new Tree(KEYS, 1, 1, Pattern.uniform(KEYS), reads, false)));
  }

  /** One tree, of which readers read page after page of a part, in a circle. */
  static Workload circle(int circleKeys) {
    Pattern.Head head = new Pattern.Head();
    Pattern pages = Pattern.ring(circleKeys / World.RECORDS_PER_PAGE, head);
    Pattern reads = random -> pages.next(random) * World.RECORDS_PER_PAGE;
    return new Workload(
        "circle", List.of(new Tree(KEYS, 1, 1, Pattern.uniform(KEYS), reads, false)));
  }

  private static Tree ring(int keys, double writeShare, double readShare, int half) {
    Pattern.Head head = new Pattern.Head();
    return new Tree(
        keys,
        writeShare,
        readShare,
        Pattern.ring(keys, head),
        Pattern.recent(keys, head, half),
        true);
  }

  /** The tree of the next write. */
  int writtenTree(SplittableRandom random) {
    double u = random.nextDouble();
    for (int i = 0; ; i++) {
      u -= trees.get(i).writeShare();
      if (u < 0 || i == trees.size() - 1) {
        return i;
      }
    }
  }

  /** The tree of the next read. */
  int readTree(SplittableRandom random) {
    double u = random.nextDouble();
    for (int i = 0; ; i++) {
      u -= trees.get(i).readShare();
      if (u < 0 || i == trees.size() - 1) {
        return i;
      }
    }
  }
}
