package org.loam.it.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What one reader saw of a history at one moment. Each group must have been in one state: after a
 * write that is not older than what was acknowledged before, nor than what the same reader saw
 * before, and that was started before the moment ended. One thread.
 */
final class Moment {
  /**
   * @param what was seen, in words that the value completes
   * @param fits whether it shows that after a write
   */
  private record Sight(String what, Object value, LongPredicate fits) {}

  private final Content content;
  private final History history;
  private final long[] seen;
  private final long[] acknowledged;
  private final long[] started;
  private final Map<Integer, List<Sight>> sights = new TreeMap<>();

  private Moment(Content content, int reader) {
    this.content = content;
    this.history = content.history;
    this.seen = history.seen(reader);
    this.acknowledged = new long[history.groupCount()];
    this.started = new long[history.groupCount()];
  }

  /** To be called right before the database is asked. */
  static Moment begin(Content content, int reader) {
    Moment moment = new Moment(content, reader);
    for (int i = 0; i < moment.acknowledged.length; i++) {
      moment.acknowledged[i] = content.history.acknowledged(i);
    }
    return moment;
  }

  /** To be called as soon as the database has fixed what it answers. */
  void end() {
    for (int i = 0; i < started.length; i++) {
      started[i] = history.started(i);
    }
  }

  /**
   * Notes what a slot showed.
   *
   * @param value null if there was none
   */
  void see(String what, int slot, byte @Nullable [] value) {
    long shown = content.shown(slot, value);
    String place = what + ", " + content.name(slot) + " shows";
    see(history.group(slot), place, shown, write -> history.shown(slot, write) == shown);
  }

  /** Notes something else that follows from the state of a group. */
  void see(int group, String what, Object value, LongPredicate fits) {
    sights.computeIfAbsent(group, g -> new ArrayList<>()).add(new Sight(what, value, fits));
  }

  /** Checks all that was noted. */
  void check() {
    sights.forEach(this::check);
  }

  private void check(int group, List<Sight> all) {
    for (long s = Math.max(acknowledged[group], seen[group]); s <= started[group]; s++) {
      if (misfit(all, s) == null) {
        seen[group] = s;
        return;
      }
    }
    throw new HistoryError(describe(group, all), history, group);
  }

  private static @Nullable Sight misfit(List<Sight> all, long write) {
    for (Sight sight : all) {
      if (!sight.fits.test(write)) {
        return sight;
      }
    }
    return null;
  }

  private String describe(int group, List<Sight> all) {
    StringBuilder text = new StringBuilder("no state of group " + group + " fits: acknowledged ");
    text.append(acknowledged[group]).append(" before, started ").append(started[group]);
    text.append(" after, seen before by the same reader ").append(seen[group]);
    for (Sight sight : all) {
      text.append("\n  ").append(sight.what).append(' ').append(sight.value);
      for (long s = Math.min(seen[group], acknowledged[group]); s <= started[group]; s++) {
        text.append(sight.fits.test(s) ? "; fits " : "; not ").append(s);
      }
    }
    return text.toString();
  }
}
