package org.loam.lsm.memory;

/**
 * Decides which superseded versions must stay. An answer of "no" must be final: neither a live read
 * LSN nor one that a reader may still register lies in [olderLsn, newerLsn), and no rollback can
 * take the newer version away.
 */
public interface VersionRetention {
  /** Nothing is dropped before the flush: any write may be taken back until then. */
  VersionRetention ALL = (olderLsn, newerLsn) -> true;

  /** Whether a reader or a rollback may still need the older of two successive versions. */
  boolean needs(long olderLsn, long newerLsn);
}
