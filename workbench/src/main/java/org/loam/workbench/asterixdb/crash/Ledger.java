package org.loam.workbench.asterixdb.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
    /** It is there, in a state that no write can have left. */
    WRONG
  }

  /**
   * A record after a crash.
   *
   * @param found version; 0 for none
   * @param promised the version that was acknowledged at last; 0 for none
   * @param open the version that a statement in flight was to give it; null if there was none
   */
  record Judgement(long id, int found, int promised, @Nullable Integer open) {
    Verdict verdict() {
      if (found == promised) {
        return Verdict.KEPT;
      }
      if (open != null && found == open) {
        return Verdict.IN_FLIGHT;
      }
      return found == 0 ? Verdict.LOST : Verdict.WRONG;
    }

    @Override
    public String toString() {
      return "record "
          + id
          + (found == 0 ? " is not there" : " has version " + found)
          + ", acknowledged was "
          + (promised == 0 ? "none" : "version " + promised)
          + (open == null ? "" : open == 0 ? ", a deletion in flight" : ", in flight " + open);
    }
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
  Judgement judge(long id, int found) {
    int promised = version(id);
    Integer open = inFlight.remove(id);
    set(id, found);
    return new Judgement(id, found, promised, open);
  }
}
