package org.loam.common.sim;

/** What a simulation has done so far, over all its crashes. */
public final class Counters {
  private final long[] calls = new long[IoKind.values().length];
  long steps;
  long accesses;
  long plainAccesses;
  long choices;
  long handOvers;
  long crashes;
  long pagesLost;
  long pagesStale;
  long pagesTorn;
  long pagesKept;
  long sizesLost;
  long entriesLost;

  Counters() {}

  @SuppressWarnings("EnumOrdinal") // An index into an array of this object, seen nowhere else.
  void count(IoKind kind) {
    calls[kind.ordinal()]++;
  }

  /** I/O calls of a kind, failed ones included. */
  @SuppressWarnings("EnumOrdinal")
  public long calls(IoKind kind) {
    return calls[kind.ordinal()];
  }

  /** I/O calls of all kinds. */
  public long calls() {
    long sum = 0;
    for (long n : calls) {
      sum += n;
    }
    return sum;
  }

  /** I/O calls that a fault of that effect can strike. */
  public long calls(FaultEffect effect) {
    long sum = 0;
    for (IoKind kind : IoKind.values()) {
      sum += effect.appliesTo(kind) ? calls(kind) : 0;
    }
    return sum;
  }

  /** Switching points passed. */
  public long steps() {
    return steps;
  }

  /** Accesses to memory that threads share, of instrumented code, while there were some. */
  public long accesses() {
    return accesses;
  }

  /** Switching points at which another thread could run, or, of steps, was there. */
  public long choices() {
    return choices;
  }

  /** Accesses to off-heap memory that are neither volatile nor atomic, of instrumented code. */
  public long plainAccesses() {
    return plainAccesses;
  }

  /** Times that another thread went on. */
  public long handOvers() {
    return handOvers;
  }

  /** Crashes, of both kinds. */
  public long crashes() {
    return crashes;
  }

  /** Unforced pages of which a power loss left the forced version. */
  public long pagesLost() {
    return pagesLost;
  }

  /** Unforced pages of which a power loss left a version between the forced and the last. */
  public long pagesStale() {
    return pagesStale;
  }

  /** Unforced pages of which a power loss left sectors of different versions. */
  public long pagesTorn() {
    return pagesTorn;
  }

  /** Unforced pages that survived a power loss. */
  public long pagesKept() {
    return pagesKept;
  }

  /** Files that came out of a power loss with another size than their last. */
  public long sizesLost() {
    return sizesLost;
  }

  /** Creations, renames and deletions that a power loss undid. */
  public long entriesLost() {
    return entriesLost;
  }
}
