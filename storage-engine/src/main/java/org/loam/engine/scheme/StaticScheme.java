package org.loam.engine.scheme;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Write memory is divided among active datasets, as AsterixDB does it (B+-static of MemoryWalls
 * §2.2, §6.2). Each has a place with an equal share, of which one half takes writes while the other
 * half is flushed. All trees of a dataset are frozen together. A dataset that is written to gets a
 * place; if there is none, the dataset that was not written to for longest is flushed and gives its
 * place up.
 *
 * <p>A write waits while its dataset has no place, or has filled one half before the other one was
 * flushed. Writers that begin at the same time may all find the last place free: then there is one
 * place too many, and the next write has a dataset give its place up.
 *
 * <p>Places change under the commit latch; {@link #admits} reads them without it.
 */
final class StaticScheme implements MemoryScheme {
  /** So many writes apart, the shares are divided anew if no dataset has to give its place up. */
  private static final int WRITES_BETWEEN_LOOKS = 1024;

  /** The place of an active dataset. */
  private static final class Place {
    /** Number of its last write among all; under the commit latch. */
    private long lastWrite;

    /** Whether one half was full before the other one was flushed. */
    private volatile boolean full;

    /** Whether it is flushed to give the place up. */
    private volatile boolean leaving;

    private boolean takesWrites() {
      return !full && !leaving;
    }
  }

  /** Places that there are, or 0 for as many as there are datasets written to. */
  private final int datasets;

  private final ConcurrentMap<String, Place> places = new ConcurrentHashMap<>();
  private final DatasetMemory inMemory = new DatasetMemory();

  /** Under the commit latch. */
  private long writes;

  /**
   * @param datasets active ones at most; 0 for as many as are written to
   */
  StaticScheme(int datasets) {
    this.datasets = datasets;
  }

  private boolean isTuned() {
    return datasets == 0;
  }

  private boolean hasFreePlace() {
    return isTuned() || places.size() < datasets;
  }

  @Override
  public RangeSizes sizes(long ownBytes) {
    return RangeSizes.WHOLE;
  }

  /** One half of a share. */
  @Override
  public long treeBytes(long ownBytes) {
    return ownBytes / (2L * (isTuned() ? Math.max(1, places.size()) : datasets));
  }

  @Override
  public @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active) {
    String dataset = tree.dataset();
    if (!places.containsKey(dataset)) {
      adopt(memory);
    }
    Place place = touch(dataset);
    if (inMemory.activeBytes(memory, dataset) >= treeBytes(memory.ownBytes())) {
      place.full = inMemory.hasFrozen(memory, dataset);
      if (!place.full) {
        return inMemory.all(memory, Rule.FULL, List.of(dataset));
      }
    }
    if (isTuned()) {
      return writes % WRITES_BETWEEN_LOOKS == 0 ? look(memory) : null;
    }
    return places.size() > datasets ? evict(memory, Set.of(dataset), 0) : null;
  }

  /** Gives datasets places that are in memory, as they were before this scheme was chosen. */
  private void adopt(Memory memory) {
    for (String dataset : inMemory.datasets(memory)) {
      if (!inMemory.isEmpty(memory, dataset)) {
        places.computeIfAbsent(dataset, name -> new Place());
      }
    }
  }

  /** The place of a dataset that is written to now. */
  private Place touch(String dataset) {
    Place place = places.computeIfAbsent(dataset, name -> new Place());
    place.lastWrite = ++writes;
    return place;
  }

  @Override
  public boolean admits(LsmTree tree) {
    Place place = places.get(tree.dataset());
    return place == null ? hasFreePlace() : place.takesWrites();
  }

  @Override
  public Victims admit(Memory memory, Collection<LsmTree> trees) {
    Victims full = look(memory);
    Set<String> wanted = new LinkedHashSet<>();
    trees.forEach(tree -> wanted.add(tree.dataset()));
    // A batch of more datasets than there are places gets one for each, or it would wait for ever.
    boolean isTooWide = !isTuned() && wanted.size() > datasets;
    int lacking = 0;
    for (String dataset : wanted) {
      if (places.containsKey(dataset) || isTooWide || hasFreePlace()) {
        touch(dataset);
      } else {
        lacking++;
      }
    }
    // One thing after the other: what waits looks again soon.
    return lacking == 0 || !full.components().isEmpty() ? full : evict(memory, wanted, lacking);
  }

  /**
   * Has the datasets that were not written to for longest give their places up.
   *
   * @param kept datasets that stay
   * @param wanted places, beside those that there are too many
   */
  private Victims evict(Memory memory, Set<String> kept, int wanted) {
    long leaving = places.values().stream().filter(place -> place.leaving).count();
    long missing = places.size() - datasets + wanted - leaving;
    List<String> evicted = new ArrayList<>();
    for (String dataset : leastRecent(memory, kept)) {
      if (missing-- <= 0) {
        break;
      }
      if (inMemory.isEmpty(memory, dataset)) {
        places.remove(dataset);
      } else {
        place(dataset).leaving = true;
        evicted.add(dataset);
      }
    }
    return inMemory.all(memory, Rule.LEAST_RECENT, evicted);
  }

  private Place place(String dataset) {
    Place place = places.get(dataset);
    if (place == null) {
      throw new AssertionError("dataset '" + dataset + "' has no place");
    }
    return place;
  }

  /** Active datasets of which nothing is frozen, the one not written to for longest first. */
  private List<String> leastRecent(Memory memory, Set<String> kept) {
    List<String> found = new ArrayList<>();
    places.forEach(
        (dataset, place) -> {
          if (!place.leaving && !kept.contains(dataset) && !inMemory.hasFrozen(memory, dataset)) {
            found.add(dataset);
          }
        });
    found.sort(Comparator.comparingLong(dataset -> place(dataset).lastWrite));
    return found;
  }

  /**
   * Looks which places have become free, and which halves.
   *
   * @return what had to wait until the other half of it was flushed
   */
  private Victims look(Memory memory) {
    List<String> waited = new ArrayList<>();
    for (String dataset : List.copyOf(places.keySet())) {
      Place place = place(dataset);
      if (inMemory.hasFrozen(memory, dataset)) {
        continue;
      }
      if (!inMemory.isEmpty(memory, dataset)) {
        if (!place.takesWrites()) {
          waited.add(dataset);
        }
      } else if (place.leaving || isUnused(memory, dataset)) {
        places.remove(dataset);
      }
      place.full = false;
    }
    return inMemory.all(memory, Rule.FULL, waited);
  }

  /** Whether it was dropped, or is not written to any more and need not keep its place for that. */
  private boolean isUnused(Memory memory, String dataset) {
    List<LsmTree> trees = inMemory.trees(memory, dataset);
    return trees.isEmpty()
        || (isTuned() && trees.stream().allMatch(tree -> memory.recentBytes(tree) == 0));
  }

  /** The datasets that were not written to for longest, until that is enough. */
  @Override
  public Victims forMemory(Memory memory, long bytes) {
    adopt(memory);
    List<String> chosen = new ArrayList<>();
    long sum = 0;
    for (String dataset : leastRecent(memory, Set.of())) {
      if (sum < bytes && !inMemory.isEmpty(memory, dataset)) {
        sum += inMemory.activeBytes(memory, dataset);
        chosen.add(dataset);
      }
    }
    return inMemory.all(memory, Rule.LEAST_RECENT, chosen);
  }

  /** All of the datasets that have the oldest writes. */
  @Override
  public Victims forLog(Memory memory, long maxLogBytes) {
    Set<String> oldest = new LinkedHashSet<>();
    Victims components = MemoryScheme.oldest(memory, maxLogBytes / OLDEST_OF_LOG);
    components.components().keySet().forEach(tree -> oldest.add(tree.dataset()));
    oldest.removeIf(dataset -> inMemory.hasFrozen(memory, dataset));
    return inMemory.all(memory, components.rule(), oldest);
  }
}
