package org.loam.engine.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.common.error.DiskFullException;
import org.loam.engine.report.EventListener;

/** A listener that keeps what it is told; one thread at a time runs in a simulation. */
public class RecordedEvents implements EventListener {
  /** In the place of {@link EventListener#diskHasRoom}, which has no event. */
  public record Room() {}

  public record Dropped(long count) {}

  public final List<Object> told = new ArrayList<>();

  /** Is called with each event. */
  public void on(Object event) {
    told.add(event);
  }

  @Override
  public void flushBegun(FlushBegun flush) {
    on(flush);
  }

  @Override
  public void flushEnded(FlushEnded flush) {
    on(flush);
  }

  @Override
  public void mergeBegun(MergeBegun merge) {
    on(merge);
  }

  @Override
  public void mergeEnded(MergeEnded merge) {
    on(merge);
  }

  @Override
  public void loadBegun(LoadBegun load) {
    on(load);
  }

  @Override
  public void loadEnded(LoadEnded load) {
    on(load);
  }

  @Override
  public void stallBegun(StallBegun stall) {
    on(stall);
  }

  @Override
  public void stallEnded(StallEnded stall) {
    on(stall);
  }

  @Override
  public void workFailed(WorkFailed failure) {
    on(failure);
  }

  @Override
  public void fenced(Throwable cause) {
    on(cause);
  }

  @Override
  public void diskFull(DiskFullException cause) {
    on(cause);
  }

  @Override
  public void diskHasRoom() {
    on(new Room());
  }

  @Override
  public void eventsDropped(long count) {
    on(new Dropped(count));
  }

  public <T> List<T> all(Class<T> type) {
    return told.stream().filter(type::isInstance).map(type::cast).toList();
  }

  public <T> T only(Class<T> type) {
    assertThat(all(type)).hasSize(1);
    return all(type).get(0);
  }

  /** Everything that began has ended, later and once. */
  public void checkPairs() {
    Set<Object> open = new HashSet<>();
    for (Object event : told) {
      if (event instanceof FlushBegun
          || event instanceof MergeBegun
          || event instanceof LoadBegun
          || event instanceof StallBegun) {
        assertThat(open.add(event)).as("begins once: %s", event).isTrue();
      } else if (event instanceof FlushEnded flush) {
        assertThat(open.remove(flush.begun())).as("ends what began: %s", event).isTrue();
      } else if (event instanceof MergeEnded merge) {
        assertThat(open.remove(merge.begun())).as("ends what began: %s", event).isTrue();
      } else if (event instanceof LoadEnded load) {
        assertThat(open.remove(load.begun())).as("ends what began: %s", event).isTrue();
      } else if (event instanceof StallEnded stall) {
        assertThat(open.remove(stall.begun())).as("ends what began: %s", event).isTrue();
      }
    }
    assertThat(open).as("begun and not ended").isEmpty();
  }
}
