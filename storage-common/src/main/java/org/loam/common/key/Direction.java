package org.loam.common.key;

/** Which way a part of a key sorts. */
public enum Direction {
  /** Small values first. */
  ASCENDING(0),

  /** Large values first: every byte of the part is complemented. */
  DESCENDING(-1);

  /** What each byte of an ascending part is XORed with. */
  final int mask;

  Direction(int mask) {
    this.mask = mask;
  }
}
