package org.loam.common.sim;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a disk: as the running system sees them, as the device holds them, and the changes
 * in between. A change becomes durable when a directory it touches is forced, together with the
 * earlier ones on the same names or files; after a power loss any of the others may be there or
 * not, but none without those it builds on, and each whole: a rename is atomic. Guarded by the
 * baton.
 */
final class Namespace {
  private TreeMap<Path, SimInode> current = new TreeMap<>();
  private TreeMap<Path, SimInode> durable = new TreeMap<>();
  private final List<Change> pending = new ArrayList<>();

  /**
   * @param removed the name that goes, if any
   * @param added the name that comes, if any, to mean {@code inode}
   * @param replaced what {@code added} meant before, if anything
   */
  private record Change(
      @Nullable Path removed, @Nullable Path added, SimInode inode, @Nullable SimInode replaced) {

    boolean touches(Path directory) {
      return (removed != null && directory.equals(removed.getParent()))
          || (added != null && directory.equals(added.getParent()));
    }

    boolean buildsOn(Change earlier) {
      return inode == earlier.inode
          || replaced == earlier.inode
          || names(earlier.removed)
          || names(earlier.added);
    }

    private boolean names(@Nullable Path path) {
      return path != null && (path.equals(removed) || path.equals(added));
    }

    void applyTo(Map<Path, SimInode> names) {
      if (removed != null) {
        names.remove(removed);
      }
      if (added != null) {
        names.put(added, inode);
      }
    }
  }

  @Nullable SimInode find(Path path) {
    return current.get(path);
  }

  /** All names, in order. */
  Map<Path, SimInode> names() {
    return current;
  }

  /** Everything that has a name or could have one again. */
  Collection<SimInode> reachable() {
    Set<SimInode> all = new LinkedHashSet<>(current.values());
    all.addAll(durable.values());
    for (Change change : pending) {
      all.add(change.inode);
    }
    return all;
  }

  void create(Path path, SimInode inode) {
    change(new Change(null, path, inode, null));
  }

  void rename(Path from, Path to, SimInode inode) {
    change(new Change(from, to, inode, current.get(to)));
  }

  void delete(Path path, SimInode inode) {
    change(new Change(path, null, inode, null));
  }

  private void change(Change change) {
    change.applyTo(current);
    pending.add(change);
  }

  void force(Path directory) {
    List<Change> forced = new ArrayList<>();
    for (int i = pending.size() - 1; i >= 0; i--) {
      Change change = pending.get(i);
      if (change.touches(directory) || forced.stream().anyMatch(f -> f.buildsOn(change))) {
        forced.add(0, change);
        pending.remove(i);
      }
    }
    for (Change change : forced) {
      change.applyTo(durable);
    }
  }

  void losePower(SimRandom random, int keepPercent, Counters counters) {
    List<Change> lost = new ArrayList<>();
    for (Change change : pending) {
      boolean kept = random.below(100) < keepPercent && lost.stream().noneMatch(change::buildsOn);
      if (kept) {
        change.applyTo(durable);
      } else {
        lost.add(change);
        counters.entriesLost++;
      }
    }
    // In order of names a directory comes before what is in it.
    for (Path path : List.copyOf(durable.keySet())) {
      Path parent = path.getParent();
      if (parent != null && !durable.containsKey(parent)) {
        durable.remove(path);
        counters.entriesLost++;
      }
    }
    pending.clear();
    current = new TreeMap<>(durable);
  }

  /** Makes all that is visible durable. */
  void settle() {
    pending.clear();
    durable = new TreeMap<>(current);
  }

  Namespace copy(IdentityHashMap<SimInode, SimInode> copies) {
    Namespace copy = new Namespace();
    current.forEach((path, inode) -> copy.current.put(path, of(copies, inode)));
    durable.forEach((path, inode) -> copy.durable.put(path, of(copies, inode)));
    for (Change c : pending) {
      SimInode replaced = c.replaced == null ? null : copies.get(c.replaced);
      copy.pending.add(new Change(c.removed, c.added, of(copies, c.inode), replaced));
    }
    return copy;
  }

  private static SimInode of(IdentityHashMap<SimInode, SimInode> copies, SimInode inode) {
    SimInode copy = copies.get(inode);
    if (copy == null) {
      throw new AssertionError("an unreachable file has a name");
    }
    return copy;
  }
}
