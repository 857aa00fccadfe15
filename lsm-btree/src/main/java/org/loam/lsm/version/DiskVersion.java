package org.loam.lsm.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Depths;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;

/**
 * The SSTables of a tree at one moment, in search order: L0 groups, newest first, then the levels
 * by growing id. Immutable; thread-safe. A reader of the tables is inside the file epoch, which it
 * enters before it takes the version.
 */
public final class DiskVersion {
  /** No table. */
  public static final DiskVersion EMPTY = of(List.of());

  private final List<Place> places;
  private final SortedRun[] runs;
  private final List<List<Component>> groups;
  private final int l0Depth;
  private final long l0Bytes;
  private final long bytes;
  private final long entries;

  private DiskVersion(List<Place> places, List<List<Component>> groups, SortedRun[] runs) {
    this.places = places;
    this.groups = groups;
    this.runs = runs;
    this.l0Depth = Depths.greatest(groups);
    this.l0Bytes = groups.stream().mapToLong(Component::bytes).sum();
    this.bytes = Arrays.stream(runs).mapToLong(SortedRun::bytes).sum();
    this.entries = Arrays.stream(runs).mapToLong(SortedRun::entries).sum();
  }

  /**
   * Where a table belongs.
   *
   * @param group at level 0: of two tables that overlap, the newer one has the larger number
   */
  public record Place(int level, long group, LiveTable table) {}

  /** A version of the given tables. */
  public static DiskVersion of(Collection<Place> places) {
    List<Place> l0 = new ArrayList<>();
    TreeMap<Integer, List<LiveTable>> levels = new TreeMap<>();
    for (Place place : places) {
      if (place.level() == Level.L0) {
        l0.add(place);
      } else {
        levels.computeIfAbsent(place.level(), l -> new ArrayList<>()).add(place.table());
      }
    }
    l0.sort(Comparator.comparingLong(Place::group));
    Map<Long, LiveTable> tables = new HashMap<>();
    List<Component> oldestFirst = new ArrayList<>();
    for (Place place : l0) {
      Component component = place.table().component();
      tables.put(component.id(), place.table());
      oldestFirst.add(component);
    }
    List<List<Component>> groups = Depths.groups(oldestFirst);
    List<SortedRun> runs = new ArrayList<>();
    for (List<Component> group : groups) {
      List<LiveTable> inGroup = new ArrayList<>();
      for (Component component : group) {
        inGroup.add(Objects.requireNonNull(tables.get(component.id())));
      }
      runs.add(new SortedRun(Level.L0, inGroup));
    }
    for (Map.Entry<Integer, List<LiveTable>> level : levels.entrySet()) {
      runs.add(new SortedRun(level.getKey(), level.getValue()));
    }
    return new DiskVersion(List.copyOf(places), groups, runs.toArray(SortedRun[]::new));
  }

  /** This version without some tables (by file id) and with others; itself unchanged. */
  public DiskVersion replace(Set<Integer> removed, Collection<Place> added) {
    List<Place> left = new ArrayList<>(added);
    for (Place place : places) {
      if (!removed.contains(place.table().fileId())) {
        left.add(place);
      }
    }
    return of(left);
  }

  /** All tables with their places, in no particular order. */
  public List<Place> places() {
    return places;
  }

  /**
   * The group of L0 for a flushed table: right above all tables of L0 that it overlaps (MemoryWalls
   * §4.1.2).
   */
  public long groupFor(KeyRange range) {
    long newest = 0;
    for (Place place : places) {
      if (place.level() == Level.L0 && place.table().component().range().overlaps(range)) {
        newest = Math.max(newest, place.group());
      }
    }
    return newest + 1;
  }

  /** Whether some table may have keys of a range. */
  public boolean overlaps(KeyRange range) {
    return Arrays.stream(runs).anyMatch(run -> run.overlaps(range));
  }

  public int runCount() {
    return runs.length;
  }

  /** A run by its position in search order. */
  public SortedRun run(int index) {
    return runs[index];
  }

  /** The table of a run that may hold a key, or null. */
  public @Nullable LiveTable find(int runIndex, long keyAddress, int keyLength, long head) {
    return runs[runIndex].find(keyAddress, keyLength, head);
  }

  /**
   * The groups of L0, newest first, as merge policies see them: as few as there can be, whatever
   * the numbers of their tables.
   */
  public List<List<Component>> groups() {
    return groups;
  }

  /** The largest number of tables of L0 that may hold one key. */
  public int l0Depth() {
    return l0Depth;
  }

  /** Bytes of L0. */
  public long l0Bytes() {
    return l0Bytes;
  }

  /** The inputs of a merge, run by run, newest first; every run with just the chosen tables. */
  public List<SortedRun> select(Collection<Component> inputs) {
    Set<Long> ids = new HashSet<>();
    for (Component input : inputs) {
      ids.add(input.id());
    }
    List<SortedRun> selected = new ArrayList<>();
    for (SortedRun run : runs) {
      List<LiveTable> chosen = new ArrayList<>();
      for (int i = 0; i < run.size(); i++) {
        if (ids.contains(run.table(i).component().id())) {
          chosen.add(run.table(i));
        }
      }
      if (!chosen.isEmpty()) {
        selected.add(new SortedRun(run.level(), chosen));
      }
    }
    return selected;
  }

  /** All tables, in search order. */
  public List<LiveTable> tables() {
    List<LiveTable> tables = new ArrayList<>();
    for (SortedRun run : runs) {
      run.addTo(tables);
    }
    return tables;
  }

  /** Bytes of all tables. */
  public long bytes() {
    return bytes;
  }

  /** Entries of all tables, all versions and anti-matter counted. */
  public long entries() {
    return entries;
  }

  /** The table with a file id, or null. */
  public @Nullable LiveTable table(long fileId) {
    for (SortedRun run : runs) {
      for (int i = 0; i < run.size(); i++) {
        if (run.table(i).fileId() == fileId) {
          return run.table(i);
        }
      }
    }
    return null;
  }
}
