package org.loam.workbench.workload.tpcc;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** How often which transaction is run. */
public enum Mix {
  /** That of the standard (5.2.3): 45, 43, 4, 4 and 4 %. */
  STANDARD(450, 430, 40, 40, 40),
  /** That of MemoryWalls §6.3.3: 5 % of transactions write, in the standard's proportion. */
  READ_MOSTLY(25, 23, 475, 2, 475);

  private static final int THOUSAND = 1_000;

  /** In thousandths, in the order of the kinds. */
  private final List<Integer> shares;

  Mix(Integer... shares) {
    this.shares = List.of(shares);
  }

  /** The name on the command line and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The mix of a name.
   *
   * @throws IllegalArgumentException with all names, if there is none
   */
  public static Mix of(String id) {
    return Arrays.stream(values())
        .filter(mix -> mix.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown mix '"
                        + id
                        + "'; choose from "
                        + Arrays.stream(values()).map(Mix::id).collect(Collectors.joining(", "))));
  }

  /** The share of a transaction. */
  public double share(TransactionKind kind) {
    return (double) shares.get(TransactionKind.ALL.indexOf(kind)) / THOUSAND;
  }

  /** The next transaction. */
  public TransactionKind next(SplittableRandom random) {
    int rest = random.nextInt(THOUSAND);
    for (int i = 0; i < shares.size(); i++) {
      rest -= shares.get(i);
      if (rest < 0) {
        return TransactionKind.ALL.get(i);
      }
    }
    throw new AssertionError(this + " has shares of less than 1 together");
  }
}
