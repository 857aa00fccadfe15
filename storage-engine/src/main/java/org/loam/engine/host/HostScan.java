package org.loam.engine.host;

import org.jspecify.annotations.Nullable;

/**
 * Which keys a scan of a host shows, and in which order. Immutable; keys are compared as unsigned
 * bytes.
 *
 * @param from the first key, null for all from the beginning on
 * @param to the first key that is not shown, null for all up to the end
 * @param limit most entries
 * @param antiMatter whether of a key that was deleted it is shown that it was, as long as that is
 *     in write memory: for a host that has to know of deletes that may be taken back. Costs nothing
 *     where there are none
 */
@SuppressWarnings("ArrayRecordComponent") // Whose range it is compares none.
public record HostScan(
    byte @Nullable [] from, byte @Nullable [] to, boolean forward, long limit, boolean antiMatter) {
  private static final HostScan ALL = new HostScan(null, null, true, Long.MAX_VALUE, false);

  public HostScan {
    if (limit < 0) {
      throw new IllegalArgumentException("limit is " + limit + ", must not be negative");
    }
  }

  /** All keys, ascending. */
  public static HostScan all() {
    return ALL;
  }

  /** This scan, but keys from this one on. */
  public HostScan from(byte[] key) {
    return new HostScan(key.clone(), to, forward, limit, antiMatter);
  }

  /** This scan, but only keys before this one. */
  public HostScan to(byte[] key) {
    return new HostScan(from, key.clone(), forward, limit, antiMatter);
  }

  /** This scan, but in the opposite order. */
  public HostScan reverse() {
    return new HostScan(from, to, !forward, limit, antiMatter);
  }

  /** This scan, but at most so many entries. */
  public HostScan limit(long entries) {
    return new HostScan(from, to, forward, entries, antiMatter);
  }

  /** This scan, but it shows deletes that are in write memory, too. */
  public HostScan withAntiMatter() {
    return new HostScan(from, to, forward, limit, true);
  }
}
