package org.loam.asterix.hyracks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.loam.asterix.index.IndexHost;
import org.loam.asterix.index.LoamIndex;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * What a test did to an index, and whether it shows in Loam's own statistics: a test that another
 * index had served would say nothing.
 */
final class Uses {
  private static final Set<String> WRITES = Set.of("insert", "update", "delete", "upsert");

  private final IndexHost host;
  private final String tree;
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong loading = new AtomicLong();
  private boolean isOpen;
  private long flushesAtOpen;

  /**
   * @param tree the name of the index's tree
   */
  Uses(IndexHost host, String tree) {
    this.host = host;
    this.tree = tree;
  }

  void before(Object target, String method) {
    boolean ends = method.equals("deactivate") || method.equals("clear");
    if (target instanceof LoamIndex && isOpen && ends) {
      requireServed();
    }
  }

  void after(Object target, String method) {
    if (WRITES.contains(method)) {
      writes.incrementAndGet();
    } else if (method.equals("add")) {
      loading.incrementAndGet();
    } else if (method.equals("end")) {
      writes.addAndGet(loading.getAndSet(0));
    } else if (target instanceof LoamIndex) {
      afterIndex(method);
    }
  }

  private void afterIndex(String method) {
    switch (method) {
      case "activate" -> {
        isOpen = true;
        flushesAtOpen = writtenToDisk();
      }
      case "clear" -> writes.set(0);
      case "deactivate" -> {
        isOpen = false;
        if (writes.getAndSet(0) > 0) {
          assertThat(writtenToDisk()).as("flushes and loads").isGreaterThan(flushesAtOpen);
        }
      }
      default -> {}
    }
  }

  private long writtenToDisk() {
    EngineStatistics.Work work = host.statistics().work();
    return work.flushes() + work.loads();
  }

  /** What was written since the index was opened, or emptied, is in its tree. */
  private void requireServed() {
    for (TreeStatistics found : host.statistics().trees()) {
      if (found.name().equals(tree)) {
        long entries = found.levels().stream().mapToLong(LevelStatistics::entries).sum();
        if (writes.get() > 0) {
          assertThat(found.memoryBytes() + entries).as("entries in %s", tree).isPositive();
        }
        return;
      }
    }
    throw new AssertionError("Loam has no tree " + tree);
  }
}
