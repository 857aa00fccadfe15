package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Sample;

/** What a load took in memory, by what an engine says at each look. */
class LoadMemoryWatchTest {
  /** An engine that gives these answers, one after the other. */
  private static LoadMemoryWatch watch(Sample... samples) {
    Deque<Sample> answers = new ArrayDeque<>(List.of(samples));
    return new LoadMemoryWatch(
        new Measured() {
          @Override
          public void flush() {
            throw new AssertionError("a look changes nothing");
          }

          @Override
          public long bytesWritten() {
            return 0;
          }

          @Override
          public Sample sample() {
            return answers.remove();
          }
        });
  }

  private static Sample used(long bytes) {
    return new Sample().gauge(Sample.WRITE_MEMORY_USED_BYTES, bytes);
  }

  @Test
  void theMostIsThatOfALookBeforeTheEnd() {
    LoadMemoryWatch watch = watch(used(10), used(190), used(100));
    watch.look();
    watch.look();
    assertThat(watch.end()).isEqualTo(new LatencyResult.LoadMemory(100, 190));
  }

  @Test
  void theLastLookCountsToo() {
    LoadMemoryWatch watch = watch(used(10), used(100));
    watch.look();
    assertThat(watch.end()).isEqualTo(new LatencyResult.LoadMemory(100, 100));
  }

  @Test
  void aLoadThatWasFlushedWasNotInMemory() {
    assertThat(watch(used(100).counter(Sample.FLUSHED_BYTES, 1)).end()).isNull();
    assertThat(watch(used(100).counter(Sample.FLUSHED_BYTES, 0)).end()).isNotNull();
  }

  @Test
  void anEngineNeedNotSayWhatItHasInMemory() {
    LoadMemoryWatch watch = watch(new Sample(), new Sample());
    watch.look();
    assertThat(watch.end()).isNull();
  }
}
