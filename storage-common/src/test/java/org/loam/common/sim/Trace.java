package org.loam.common.sim;

import java.util.Arrays;
import java.util.Locale;

/**
 * What happened, as a hash over all events and as text for the last few. Recording reuses its slots
 * and allocates nothing.
 */
final class Trace {
  private static final int SLOTS = 128;

  private final long[] nanos = new long[SLOTS];
  private final String[] thread = new String[SLOTS];
  private final String[] what = new String[SLOTS];
  private final String[] subject = new String[SLOTS];
  private final long[] first = new long[SLOTS];
  private final long[] second = new long[SLOTS];
  private long events;
  private long hash;

  Trace() {
    Arrays.fill(thread, "");
    Arrays.fill(what, "");
    Arrays.fill(subject, "");
  }

  /**
   * @param a a number to show with the event, such as an offset; likewise {@code b}
   */
  void add(long now, SimThread who, String event, String about, long a, long b) {
    int slot = (int) events++ & (SLOTS - 1);
    nanos[slot] = now;
    thread[slot] = who.name();
    what[slot] = event;
    subject[slot] = about;
    first[slot] = a;
    second[slot] = b;
    long names = ((long) event.hashCode() << 32) ^ about.hashCode() ^ ((long) who.id() << 20);
    hash = SimRandom.mix(hash * 31 + now + names * 7 + a * 1_000_003 + b);
  }

  /** Makes a number part of the hash, such as a checksum of bytes written. */
  void note(long number) {
    hash = SimRandom.mix(hash * 31 + number);
  }

  long hash() {
    return hash;
  }

  /** The last events, oldest first, one per line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (long i = Math.max(0, events - SLOTS); i < events; i++) {
      int slot = (int) i & (SLOTS - 1);
      text.append(
          String.format(
              Locale.ROOT,
              "%,15d ns  %-16s %-10s %s",
              nanos[slot],
              thread[slot],
              what[slot],
              subject[slot]));
      if (first[slot] != 0 || second[slot] != 0) {
        text.append(' ').append(first[slot]).append(' ').append(second[slot]);
      }
      text.append('\n');
    }
    return text.toString();
  }
}
