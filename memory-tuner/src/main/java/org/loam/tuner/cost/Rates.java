package org.loam.tuner.cost;

/**
 * How often users write and read.
 *
 * @param entries written in an operation
 * @param pins of pages in an operation
 */
public record Rates(double entries, double pins) {
  /** Rates that differ by no more than this part are those of the same workload. */
  private static final double NEAR = 0.2;

  /** Those of a cycle. */
  public static Rates of(CycleSample sample) {
    double entries = 0;
    for (TreeSample tree : sample.trees()) {
      entries += tree.written().entries();
    }
    double pins = 0;
    for (ReadClass readClass : ReadClass.values()) {
      pins += readClass == ReadClass.MERGE ? 0 : sample.reads(readClass).pins();
    }
    double operations = Math.max(1, sample.operations());
    return new Rates(entries / operations, pins / operations);
  }

  /** Whether users read and write about as much in an operation as by others. */
  public boolean areNear(Rates others) {
    return haveMixOf(others) && areNear(pins, others.pins);
  }

  /** Whether users write about as much in an operation; how many pages a read needs varies. */
  public boolean haveMixOf(Rates others) {
    return areNear(entries, others.entries);
  }

  static boolean areNear(double a, double b) {
    return Math.abs(a - b) <= NEAR * Math.max(a, b);
  }
}
