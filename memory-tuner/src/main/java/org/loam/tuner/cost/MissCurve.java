package org.loam.tuner.cost;

import java.util.Arrays;

/**
 * The part of accesses that miss, by the size of the memory that serves them. Immutable. It falls
 * with the size, or stays, and is straight between the sizes at which it is known; from the last
 * one on it stays as it is.
 */
public final class MissCurve {
  /** A curve that says nothing. */
  public static final MissCurve UNKNOWN = new MissCurve(new double[0], new double[0]);

  private final double[] bytes;
  private final double[] ratios;

  private MissCurve(double[] bytes, double[] ratios) {
    this.bytes = bytes;
    this.ratios = ratios;
  }

  /**
   * A curve through points.
   *
   * @param bytes sizes, rising from 0
   * @param ratios misses of an access at each of them, falling, each in 0..1
   */
  public static MissCurve of(double[] bytes, double[] ratios) {
    if (bytes.length != ratios.length || bytes.length == 0 || bytes[0] != 0) {
      throw new IllegalArgumentException(
          "points of a miss curve: "
              + Arrays.toString(bytes)
              + ", must begin at 0, one ratio each");
    }
    for (int i = 0; i < bytes.length; i++) {
      Require.within("ratio of a miss curve", ratios[i], 0, i == 0 ? 1 : ratios[i - 1]);
      if (i > 0 && !(bytes[i] > bytes[i - 1])) {
        throw new IllegalArgumentException(
            "size of a miss curve: " + bytes[i] + ", must be above " + bytes[i - 1]);
      }
    }
    return new MissCurve(bytes.clone(), ratios.clone());
  }

  /** Whether it says anything. */
  public boolean isKnown() {
    return bytes.length > 0;
  }

  /** Misses of an access with memory of a size; 1 if nothing is known. */
  public double ratio(double size) {
    if (!isKnown()) {
      return 1;
    }
    int at = Arrays.binarySearch(bytes, size);
    if (at >= 0) {
      return ratios[at];
    }
    int above = -at - 1;
    if (above == bytes.length) {
      return ratios[above - 1];
    }
    if (above == 0) {
      return ratios[0];
    }
    double part = (size - bytes[above - 1]) / (bytes[above] - bytes[above - 1]);
    return ratios[above - 1] + part * (ratios[above] - ratios[above - 1]);
  }
}
