package org.loam.tuner.policy;

/** How a policy came to the split that it wanted. */
public enum Origin {
  /** It wanted none. */
  NONE,
  /** The root of the line through the last derivatives. */
  NEWTON,
  /** A step of fixed size down the slope, where no line helps. */
  FIXED,
  /** The least cost of all candidates. */
  CURVE,
  /** The split before a move that cost more than it gained. */
  UNDO
}
