package org.loam.workbench.workload.tpcc;

import java.util.SplittableRandom;

/**
 * Random numbers and texts as the standard has them (2.1.6, 4.3.2), for a {@link Scale}. For one
 * thread.
 *
 * <p>NURand makes some customers, items and names more popular than others. Its constant A stands
 * beside a range of full size; for a smaller range it is smaller in proportion.
 */
public final class Chance {
  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int DIGITS = 10;
  private static final String ORIGINAL = "ORIGINAL";

  private static final NuRand LAST_NAMES = new NuRand(255, 1_000);
  private static final NuRand CUSTOMERS = new NuRand(1_023, 3_000);
  private static final NuRand ITEMS = new NuRand(8_191, 100_000);

  private final SplittableRandom random;
  private final Scale scale;
  private final Constants constants;

  /** A distribution of the standard: its constant A and the size of its range. */
  private record NuRand(int a, int range) {
    /** A number from 0 to below a size that may be smaller than the range. */
    int next(SplittableRandom random, int size, int c) {
      int smaller = Math.max(1, (int) ((long) a * size / range));
      int mask = 2 * Integer.highestOneBit(smaller) - 1;
      return ((random.nextInt(mask + 1) | random.nextInt(size)) + (c & mask)) % size;
    }
  }

  /**
   * The constants C of NURand, the same for all clients of a run.
   *
   * @param lastName for last names
   * @param customer for customers
   * @param item for items
   */
  public record Constants(int lastName, int customer, int item) {
    private static final int LEAST_DELTA = 65;
    private static final int MOST_DELTA = 119;

    /** The constants of the load. */
    public static Constants ofLoad(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      return new Constants(random.nextInt(256), random.nextInt(1_024), random.nextInt(8_192));
    }

    /**
     * The constants of the run, which the standard wants apart from those of the load (2.1.6.1).
     */
    public static Constants ofRun(long seed) {
      SplittableRandom random = new SplittableRandom(~seed);
      int delta;
      do {
        delta = random.nextInt(LEAST_DELTA, MOST_DELTA + 1);
      } while (delta == 96 || delta == 112);
      int loaded = ofLoad(seed).lastName;
      int lastName = loaded + delta < 256 ? loaded + delta : loaded - delta;
      return new Constants(lastName, random.nextInt(1_024), random.nextInt(8_192));
    }
  }

  public Chance(SplittableRandom random, Scale scale, Constants constants) {
    this.random = random;
    this.scale = scale;
    this.constants = constants;
  }

  /** A number, both ends included. */
  public int uniform(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /** Whether something happens that happens so often in a hundred times. */
  public boolean percent(int percent) {
    return random.nextInt(100) < percent;
  }

  /** A customer of a district, from 1. */
  public int customer() {
    return 1 + CUSTOMERS.next(random, scale.customers(), constants.customer);
  }

  /** An item, from 1. */
  public int item() {
    return 1 + ITEMS.next(random, scale.items(), constants.item);
  }

  /** A last name that some customer of each district has. */
  public String lastName() {
    int names = Math.min(LAST_NAMES.range, scale.customers());
    return lastName(LAST_NAMES.next(random, names, constants.lastName));
  }

  /** The last name of a number from 0 to 999. */
  public static String lastName(int number) {
    return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
  }

  /** Letters and digits. */
  public String text(int leastLength, int mostLength) {
    return chars(uniform(leastLength, mostLength), LETTERS.length(), 0);
  }

  /** Digits. */
  public String digits(int length) {
    return chars(length, DIGITS, LETTERS.length() - DIGITS);
  }

  private String chars(int length, int count, int first) {
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = LETTERS.charAt(first + random.nextInt(count));
    }
    return new String(chars);
  }

  /** A text of which one in ten has the word ORIGINAL at some place. */
  public String data() {
    String text = text(26, 50);
    if (!percent(10)) {
      return text;
    }
    int at = uniform(0, text.length() - ORIGINAL.length());
    return text.substring(0, at) + ORIGINAL + text.substring(at + ORIGINAL.length());
  }

  /** The numbers from 1, in random order. */
  public int[] permutation(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      numbers[i] = numbers[other];
      numbers[other] = i + 1;
    }
    return numbers;
  }
}
