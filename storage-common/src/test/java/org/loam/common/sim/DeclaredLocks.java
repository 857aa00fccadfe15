package org.loam.common.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The order of Loam's monitors, as the section Locks of ARCHITECTURE.md declares it; a test
 * compares the two. {@link LockOrder} holds every simulated run against it.
 *
 * <p>The kinds of a test are declared nowhere: of them only a cycle is a fault.
 */
public final class DeclaredLocks {
  /** Begins the kind of a plain lock, which calls nothing of the environment while it is held. */
  static final String PLAIN = "plain lock of ";

  /** Before a kind that may not be held, although that would follow from other locks. */
  public static final String NOT = "not ";

  /**
   * A kind of monitor.
   *
   * @param kind what the names of such monitors are, or begin with
   * @param inside what a thread may hold that takes one, directly: what may be held with that
   *     counts as well, except after {@link #NOT}
   * @param awaitedInside what a thread may hold that awaits a signal of one
   */
  public record Lock(String kind, Set<String> inside, Set<String> awaitedInside) {}

  private static final List<Lock> LOCKS =
      List.of(
          new Lock("engine close", Set.of(), Set.of()),
          new Lock("changes of dataset", Set.of(), Set.of()),
          new Lock("keys of dataset", Set.of("changes of dataset", "keys of dataset"), Set.of()),
          new Lock("clearing of trees", Set.of(), Set.of()),
          new Lock(
              "tree catalog",
              Set.of("engine close", "changes of dataset", "clearing of trees"),
              Set.of()),
          new Lock("turns of flushes", Set.of(), Set.of()),
          new Lock(
              "install lock of tree",
              Set.of("tree catalog", "turns of flushes", "install lock of tree"),
              Set.of()),
          new Lock("large batch buffer", Set.of("keys of dataset"), Set.of()),
          new Lock("commit latch", Set.of("install lock of tree", "large batch buffer"), Set.of()),
          new Lock("pace of write memory", Set.of("tree catalog"), Set.of()),
          new Lock(
              "write gate of tree",
              Set.of("commit latch", "pace of write memory"),
              Set.of("changes of dataset")),
          new Lock("space guard", Set.of("write gate of tree"), Set.of()),
          new Lock("events", Set.of("space guard"), Set.of("engine close")),
          new Lock(
              "write memory",
              Set.of("commit latch"),
              Set.of("changes of dataset", "keys of dataset")),
          new Lock(
              "background workers", Set.of("write gate of tree", NOT + "commit latch"), Set.of()),
          new Lock("rate limiter", Set.of("background workers"), Set.of()),
          new Lock(
              "log segment slots",
              Set.of("commit latch"),
              Set.of("changes of dataset", "keys of dataset")),
          new Lock("live log segments", Set.of("log segment slots"), Set.of()),
          new Lock("log force requests", Set.of("commit latch"), Set.of()),
          new Lock(
              "log force results",
              Set.of("commit latch"),
              Set.of("engine close", "changes of dataset")),
          new Lock("file ids", Set.of(), Set.of()),
          new Lock("manifest", Set.of("install lock of tree", "file ids"), Set.of()),
          new Lock(
              "page reads",
              Set.of("keys of dataset", "install lock of tree"),
              Set.of(
                  "engine close",
                  "changes of dataset",
                  "keys of dataset",
                  "tree catalog",
                  "turns of flushes",
                  "install lock of tree")),
          new Lock("read helpers", Set.of("engine close", "changes of dataset"), Set.of()),
          new Lock("open bulk loads", Set.of("engine close"), Set.of()),
          new Lock(
              "background progress",
              Set.of("engine close", "changes of dataset", "commit latch"),
              Set.of("engine close", "changes of dataset")),
          new Lock("moves of memory", Set.of("engine close", "tree catalog"), Set.of()),
          new Lock("pages to be touched", Set.of("engine close"), Set.of()),
          new Lock("merges in memory", Set.of("commit latch"), Set.of()),
          new Lock("tuner", Set.of("engine close", "tree catalog"), Set.of()),
          new Lock("broken tasks", Set.of(), Set.of()),
          new Lock("flushes wanted", Set.of("commit latch"), Set.of()),
          new Lock("large writes", Set.of(), Set.of()));

  private static final Map<String, Lock> BY_KIND = new HashMap<>();

  /** By kind, what a thread may hold that takes one, directly or with others in between. */
  private static final Map<String, Set<String>> ALL_INSIDE = new HashMap<>();

  /** Kinds by name: each life of a simulated process makes the same monitors anew. */
  private static final Map<String, String> KINDS = new ConcurrentHashMap<>();

  static {
    LOCKS.forEach(lock -> BY_KIND.put(lock.kind(), lock));
    LOCKS.forEach(lock -> ALL_INSIDE.put(lock.kind(), allInside(lock)));
  }

  private DeclaredLocks() {}

  /** All of them, in the order of the page. */
  public static List<Lock> all() {
    return LOCKS;
  }

  /** The declared kind that a name begins with; else the name without numbers. */
  static String kindOf(String name) {
    return KINDS.computeIfAbsent(name, DeclaredLocks::findKind);
  }

  private static String findKind(String name) {
    for (Lock lock : LOCKS) {
      String kind = lock.kind();
      int length = kind.length();
      if (name.startsWith(kind) && (name.length() == length || name.charAt(length) == ' ')) {
        return kind;
      }
    }
    return name.replaceAll("[0-9]+", "").strip();
  }

  static boolean isDeclared(String kind) {
    return BY_KIND.containsKey(kind);
  }

  /** Whether a thread that holds one may take the other, both declared. */
  static boolean mayTake(String held, String taken) {
    return ALL_INSIDE.getOrDefault(taken, Set.of()).contains(held);
  }

  /** What is known already of the locks before it, which are all that it names. */
  private static Set<String> allInside(Lock lock) {
    Set<String> all = new HashSet<>(lock.inside());
    lock.inside().forEach(outer -> all.addAll(ALL_INSIDE.getOrDefault(outer, Set.of())));
    all.removeIf(outer -> lock.inside().contains(NOT + outer));
    return all;
  }

  /** Whether a thread that holds one may await a signal of the other. */
  static boolean mayAwait(String held, String awaited) {
    if (held.startsWith(PLAIN)) {
      return false;
    }
    Lock lock = BY_KIND.get(awaited);
    return lock == null || !isDeclared(held) || lock.awaitedInside().contains(held);
  }
}
