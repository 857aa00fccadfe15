package org.loam.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics();

  @Test
  void aNameHasOneMetricAndNamesAreSorted() {
    Counter hits = metrics.counter("cache.hits");
    assertThat(metrics.counter("cache.hits")).isSameAs(hits);
    Histogram force = metrics.histogram("log.forceNanos");
    assertThat(metrics.histogram("log.forceNanos")).isSameAs(force);
    metrics.gauge("cache.pages", () -> 7);
    assertThat(metrics.names()).containsExactly("cache.hits", "cache.pages", "log.forceNanos");
    metrics.remove("cache.hits");
    metrics.remove("cache.hits");
    assertThat(metrics.names()).containsExactly("cache.pages", "log.forceNanos");
    assertThat(metrics.counter("cache.hits")).isNotSameAs(hits);
  }

  @Test
  void aSnapshotIsAValueThatLaterRecordsDoNotChange() {
    AtomicLong level = new AtomicLong(7);
    metrics.counter("b").add(2);
    metrics.counter("a").increment();
    metrics.gauge("level", level::get);
    metrics.histogram("h").record(100);
    MetricsSnapshot snapshot = metrics.snapshot();
    metrics.counter("a").add(10);
    level.set(8);
    metrics.histogram("h").record(200);
    assertThat(snapshot.counters()).containsOnlyKeys("a", "b");
    assertThat(snapshot.counters().get("a")).isEqualTo(1);
    assertThat(snapshot.counters().get("b")).isEqualTo(2);
    assertThat(snapshot.gauges().get("level")).isEqualTo(7);
    assertThat(snapshot.histograms().get("h").count()).isEqualTo(1);
    assertThat(snapshot)
        .hasToString(
            """
            a: 1
            b: 2
            level: 7
            h: count=1 mean=100.0 p50=100 p99=100 p99.9=100 max=100
            """);
    assertThatThrownBy(() -> snapshot.counters().put("c", 1L))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(metrics.snapshot().counters().get("a")).isEqualTo(11);
  }

  @Test
  void aNameOfAnotherKindIsRefused() {
    metrics.counter("a");
    assertThatThrownBy(() -> metrics.histogram("a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("metric a is a Counter");
    assertThatThrownBy(() -> metrics.gauge("a", () -> 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("metric a exists already");
  }

  @Test
  void badNamesAreRefused() {
    for (String name : new String[] {"", ".", "a.", ".a", "a b", "a..b", "a\n"}) {
      assertThatThrownBy(() -> metrics.counter(name))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + name + "'");
    }
  }

  @Test
  void noIncrementOfAnyThreadIsLost() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  metrics.counter("shared").increment();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(metrics.counter("shared").value()).isEqualTo(40_000);
  }
}
