package org.loam.tuner.policy;

/** The rule that limited a step, or kept the split where it was. */
public enum Rule {
  /** The step is the one that the policy wanted. */
  NONE("nothing limited the step"),
  /** Step made shorter. */
  DONOR("the side that shrinks gives only a part of its memory in one cycle"),
  /** Step made shorter. */
  TRUST("a move was undone lately, so steps are shorter for a while"),
  /** Step made shorter. */
  LEAST_WRITE("the write memory is at its least size"),
  /** Step made shorter. */
  LEAST_CACHE("the buffer cache is at its least size"),
  /** No step. */
  SHORT_STEP("the step is shorter than the shortest one"),
  /** No step. */
  SMALL_GAIN("the gain would be too small"),
  /** No step. */
  NO_SLOPE("neither side would gain from more memory"),
  /** No step. */
  FEW_HITS("the ghost cache had too few hits; the cycle goes on"),
  /** No step. */
  IDLE("the disk moved less in this cycle than the shortest step would"),
  /** No step. */
  SETTLING("the last move is under way, or the write memory that it gave is still filling"),
  /** No step. */
  CHANGED("the settings of the tuner were changed in this cycle"),
  /** No step. */
  OBSERVING("the mode of the tuner is to observe"),
  /** No step. */
  FROZEN("the mode of the tuner is to keep the split");

  private final String meaning;

  Rule(String meaning) {
    this.meaning = meaning;
  }

  /** The rule in a few words. */
  public String meaning() {
    return meaning;
  }
}
