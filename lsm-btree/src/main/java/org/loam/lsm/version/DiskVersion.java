package org.loam.lsm.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;

/**
 * The SSTables of a tree at one moment, in search order: L0 groups, newest first, then the levels
 * by growing id. Immutable; thread-safe. A reader of the tables is inside the file epoch, which it
 * enters before it takes the version.
 */
public final class DiskVersion {
  /** No table. */
  public static final DiskVersion EMPTY = new DiskVersion(new SortedRun[0]);

  private final SortedRun[] runs;
  private final long bytes;
  private final long entries;

  private DiskVersion(SortedRun[] runs) {
    this.runs = runs;
    this.bytes = Arrays.stream(runs).mapToLong(SortedRun::bytes).sum();
    this.entries = Arrays.stream(runs).mapToLong(SortedRun::entries).sum();
  }

  /** Where a table belongs: level, and group at level 0. */
  public record Place(int level, long group, LiveTable table) {}

  /** A version of the given tables. */
  public static DiskVersion of(Collection<Place> places) {
    TreeMap<Long, List<LiveTable>> groups = new TreeMap<>();
    TreeMap<Integer, List<LiveTable>> levels = new TreeMap<>();
    for (Place place : places) {
      List<LiveTable> tables =
          place.level() == Level.L0
              ? groups.computeIfAbsent(place.group(), g -> new ArrayList<>())
              : levels.computeIfAbsent(place.level(), l -> new ArrayList<>());
      tables.add(place.table());
    }
    List<SortedRun> runs = new ArrayList<>();
    for (Map.Entry<Long, List<LiveTable>> group : groups.descendingMap().entrySet()) {
      runs.add(new SortedRun(Level.L0, group.getKey(), group.getValue()));
    }
    for (Map.Entry<Integer, List<LiveTable>> level : levels.entrySet()) {
      runs.add(new SortedRun(level.getKey(), 0, level.getValue()));
    }
    return new DiskVersion(runs.toArray(SortedRun[]::new));
  }

  /** This version without some tables (by file id) and with others; itself unchanged. */
  public DiskVersion replace(Set<Integer> removed, Collection<Place> added) {
    List<Place> places = new ArrayList<>(added);
    for (Place place : places()) {
      if (!removed.contains(place.table().fileId())) {
        places.add(place);
      }
    }
    return of(places);
  }

  /** All tables with their places. */
  public List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (SortedRun run : runs) {
      for (int i = 0; i < run.size(); i++) {
        places.add(new Place(run.level(), run.group(), run.table(i)));
      }
    }
    return places;
  }

  /**
   * The group of L0 that takes a flushed table: the oldest one such that neither it nor any newer
   * one overlaps the table (MemoryWalls §4.1.2), or a new one.
   */
  public long groupFor(KeyRange range) {
    long chosen = -1;
    for (SortedRun run : runs) {
      if (run.level() != Level.L0 || run.overlaps(range)) {
        break;
      }
      chosen = run.group();
    }
    return chosen >= 0 ? chosen : newestGroup() + 1;
  }

  /** Whether some table may have keys of a range. */
  public boolean overlaps(KeyRange range) {
    return Arrays.stream(runs).anyMatch(run -> run.overlaps(range));
  }

  private long newestGroup() {
    return runs.length > 0 && runs[0].level() == Level.L0 ? runs[0].group() : 0;
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

  /** The groups of L0, newest first, as merge policies see them. */
  public List<List<Component>> groups() {
    List<List<Component>> groups = new ArrayList<>();
    for (SortedRun run : runs) {
      if (run.level() == Level.L0) {
        groups.add(run.components());
      }
    }
    return groups;
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
        selected.add(new SortedRun(run.level(), run.group(), chosen));
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
