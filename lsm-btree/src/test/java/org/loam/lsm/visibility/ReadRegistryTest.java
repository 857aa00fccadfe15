package org.loam.lsm.visibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which versions are needed, against a list of the readers; and beside threads that register. */
class ReadRegistryTest {
  /** A writer that looks between the two would drop what the reader is about to need. */
  @Test
  void aReaderCountsBeforeItsLsnIsTaken() {
    ReadRegistry[] registry = new ReadRegistry[1];
    List<Integer> counted = new ArrayList<>();
    registry[0] =
        new ReadRegistry(
            () -> {
              counted.add(registry[0].size());
              return 1;
            });
    for (int readers = 1; readers <= 40; readers++) {
      counted.clear();
      registry[0].register();
      assertThat(counted).containsExactly(readers);
    }
  }

  @Test
  void needsWhatAReaderCouldAskFor() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      long[] published = {1};
      ReadRegistry registry = new ReadRegistry(() -> published[0]);
      List<Long> readers = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(5)) {
          case 0 -> published[0] += random.nextInt(5);
          case 1 -> readers.add(registry.register());
          case 2 -> {
            if (!readers.isEmpty()) {
              registry.release(readers.remove(random.nextInt(readers.size())));
            }
          }
          case 3 -> {
            if (!readers.isEmpty()) {
              long again = readers.get(random.nextInt(readers.size()));
              registry.registerAgain(again);
              readers.add(again);
            }
          }
          default -> check(registry, readers, published[0], random, "seed " + seed);
        }
        assertThat(registry.size()).isEqualTo(readers.size());
        assertThat(registry.currentReadLsn()).isEqualTo(published[0] - 1);
      }
    }
  }

  private static void check(
      ReadRegistry registry, List<Long> readers, long published, Random random, String what) {
    ReadRegistry.Moment moment = registry.capture();
    assertThat(moment.publishedEnd()).isEqualTo(published);
    for (int i = 0; i < 20; i++) {
      long older = random.nextInt((int) published + 3);
      long newer = older + random.nextInt(5);
      boolean read = readers.stream().anyMatch(r -> r >= older && r < newer);
      assertThat(moment.anyWithin(older, newer)).as(what).isEqualTo(read);
      boolean needed = newer >= published || read;
      assertThat(moment.needs(older, newer)).as(what).isEqualTo(needed);
      assertThat(registry.needs(older, newer)).as(what).isEqualTo(needed);
    }
  }

  @Test
  void releasingWhatIsNotRegisteredIsAnError() {
    ReadRegistry registry = new ReadRegistry(() -> 10);
    registry.release(registry.register());
    assertThatThrownBy(() -> registry.release(9)).isInstanceOf(AssertionError.class);
  }

  /**
   * One key, whose versions are dropped as soon as no reader is said to need them: a reader that
   * registers finds the version of its moment all the same.
   */
  @Test
  void aReaderThatRegistersBesideTheWriterFindsItsVersion() throws InterruptedException {
    AtomicLong published = new AtomicLong(1);
    ReadRegistry registry = new ReadRegistry(published::get);
    int versions = 20_000;
    // dropped[v]: version v, written at LSN v, was dropped when v + 1 came.
    AtomicBoolean[] dropped = new AtomicBoolean[versions + 2];
    for (int v = 0; v < dropped.length; v++) {
      dropped[v] = new AtomicBoolean();
    }
    AtomicBoolean done = new AtomicBoolean();
    List<Throwable> failures = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      Thread reader =
          new Thread(
              () -> {
                while (!done.get()) {
                  long readLsn = registry.register();
                  for (int look = 0; look < 3; look++) {
                    if (dropped[(int) readLsn].get()) {
                      synchronized (failures) {
                        failures.add(new AssertionError("version " + readLsn + " was dropped"));
                      }
                      return;
                    }
                  }
                  registry.release(readLsn);
                }
              });
      readers.add(reader);
      reader.start();
    }
    for (int v = 1; v <= versions; v++) {
      // Publishes v, then writes v + 1 over it, then publishes that and drops what no reader needs.
      published.set(v + 1);
      for (int older = Math.max(1, v - 3); older < v; older++) {
        if (!dropped[older].get() && !registry.needs(older, older + 1)) {
          dropped[older].set(true);
        }
      }
    }
    done.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(failures).isEmpty();
  }
}
