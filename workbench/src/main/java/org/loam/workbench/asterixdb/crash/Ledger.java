package org.loam.workbench.asterixdb.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one client was promised, and what it had under way when the cluster crashed: records by id,
 * each with its version, 0 for none. For one thread at a time.
 */
final class Ledger {
  /** What a crash did to a record. */
  enum Verdict {
    /** As it was acknowledged. */
    KEPT,
    /** As a statement left it that was not acknowledged. */
    IN_FLIGHT,
    /** It was acknowledged and is not there. */
    LOST,
    /** It is there as nobody can have left it. */
    WRONG
  }

  private final TreeMap<Long, Integer> acknowledged = new TreeMap<>();
  private final Map<Long, Integer> inFlight = new HashMap<>();
  private int versions;

  /** A version that no record of this client has had. */
  int nextVersion() {
    return ++versions;
  }

  /** The acknowledged version of a record; 0 if it is not there. */
  int version(long id) {
    return acknowledged.getOrDefault(id, 0);
  }

  /** A statement is about to be sent. */
  void begin(Map<Long, Integer> changes) {
    inFlight.putAll(changes);
  }

  /** The statement was acknowledged. */
  void acknowledge() {
    inFlight.forEach(this::set);
    inFlight.clear();
  }

  private void set(long id, int version) {
    if (version == 0) {
      acknowledged.remove(id);
    } else {
      acknowledged.put(id, version);
    }
  }

  /** What became of a record of which a version is there now; that counts from now on. */
  Verdict judge(long id, int found) {
    int promised = version(id);
    Integer open = inFlight.remove(id);
    set(id, found);
    if (found == promised) {
      return Verdict.KEPT;
    }
    if (open != null && found == open) {
      return Verdict.IN_FLIGHT;
    }
    return found == 0 ? Verdict.LOST : Verdict.WRONG;
  }
}
