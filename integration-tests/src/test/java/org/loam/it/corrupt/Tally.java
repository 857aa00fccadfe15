package org.loam.it.corrupt;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Judges many damages on a few threads, and counts outcomes by database and kind of file. */
final class Tally {
  private static final int THREADS = 2;
  private static final int MAX_SHOWN = 10;

  private final String title;
  private final long begin = System.nanoTime();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Case> cases = new ArrayList<>();

  private record Case(String victim, String kind, String what, Future<Outcome> outcome) {}

  Tally(String title) {
    this.title = title;
  }

  void add(Victim victim, Path file, String what, Supplier<Outcome> judge) {
    cases.add(
        new Case(
            victim.name(),
            Victim.kind(file),
            victim.name() + ", " + file + ", " + what,
            threads.submit(judge::get)));
  }

  /** Waits for all, prints the counts, and fails if an answer was wrong; returns how many. */
  int finish() {
    Map<String, TreeMap<Outcome, Integer>> counts = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    int failures = 0;
    try {
      for (Case one : cases) {
        try {
          counts
              .computeIfAbsent(one.victim() + ", " + one.kind(), key -> new TreeMap<>())
              .merge(one.outcome().get(), 1, Integer::sum);
        } catch (ExecutionException e) {
          failures++;
          if (wrong.size() < MAX_SHOWN) {
            wrong.add(one.what() + ": " + firstLine(e.getCause()));
          }
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
    counts.forEach((key, value) -> System.out.println(title + ": " + key + " " + value));
    long millis = (System.nanoTime() - begin) / 1_000_000;
    System.out.println(title + ": " + cases.size() + ", wrong " + failures + ", ms " + millis);
    if (failures > 0) {
      throw new AssertionError(failures + " wrong:\n" + String.join("\n", wrong));
    }
    return cases.size();
  }

  private static String firstLine(Throwable t) {
    String text = String.valueOf(t.getMessage());
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
