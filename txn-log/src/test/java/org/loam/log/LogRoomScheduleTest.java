package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.codec.Crc32c;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;
import org.loam.log.recover.LogChain;
import org.loam.log.recover.SegmentCatalog;

/**
 * Schedules of a writer that waits for room in a log, without a deadline, while room is made; and
 * of a look at what was written.
 */
@Tag("once")
@Explored
class LogRoomScheduleTest {
  private static final int SCHEDULES = 500;
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 1, 0);

  /** A segment has room for some of them. */
  private static final int PAYLOAD_BYTES = 1000;

  /** A log of one segment, which no thread prepares more segments for. */
  private static final class World {
    private final LogParts parts;
    private final LogWriter writer;
    private final long payload = Mem.allocate(PAYLOAD_BYTES, Long.BYTES);
    private boolean waited;

    World(Simulation sim) {
      var env = sim.env();
      var directory = sim.directory().resolve("log");
      LogStart.Begun begun =
          new LogStart(env, directory, CONFIG, 1)
              .begin(
                  SegmentCatalog.load(env.files(), directory, 1),
                  new LogChain(List.of(), 0),
                  new LogStart.Bounds(0, 0, 0));
      parts = begun.parts();
      writer = new LogWriter(parts, begun.first());
      Mem.fill(payload, PAYLOAD_BYTES, (byte) 1);
    }

    Appended append(int bytes) {
      return writer.append(payload, bytes, Crc32c.of(payload, bytes));
    }

    void fill(int bytes) {
      while (append(bytes) == Appended.DONE) {
        // Until no further frame fits.
      }
    }

    /** Fills the only segment; then there is another one. */
    void fillSegment() {
      fill(PAYLOAD_BYTES);
      parts.slots().addReady(parts.preparer().prepareOne());
    }

    void await(int bytes) {
      waited = writer.awaitRoom(bytes, Long.MAX_VALUE);
    }

    void close() {
      writer.raise(new IllegalStateException("the test ends this log"));
      writer.close();
      Mem.free(payload);
    }
  }

  private static void explore(int bytes, Consumer<World> begin, Consumer<World> makeRoom) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), begin);
          boolean ended = sim.run(() -> world.await(bytes), () -> makeRoom.accept(world));
          sim.run(world::close);
          assertThat(ended).isTrue();
          assertThat(world.waited).isTrue();
        });
  }

  /** No other segment gets ready, whose signal would hide that this one is missed. */
  @Test
  void theSwitchToTheNextSegmentIsNotMissed() {
    explore(
        PAYLOAD_BYTES,
        World::fillSegment,
        world -> assertThat(world.append(PAYLOAD_BYTES)).isEqualTo(Appended.DONE));
  }

  @Test
  void theRoomOfAMarkThatIsNotWrittenIsNotMissed() {
    explore(
        1,
        world -> {
          assertThat(world.writer.keepMark(0, 0)).isTrue();
          world.fill(PAYLOAD_BYTES);
          world.fill(1);
        },
        world -> world.writer.releaseMark());
  }

  /** While frames go on in the next segment: the gap in front of it is never among them. */
  @Test
  void noLookFindsMoreWrittenThanThereIs() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), World::fillSegment);
          long before = world.parts.writtenBytes();
          long[] seen = new long[2];
          sim.run(
              () -> world.append(PAYLOAD_BYTES),
              () -> {
                seen[0] = world.parts.writtenBytes();
                seen[1] = world.parts.writtenBytes();
              });
          long after = world.parts.writtenBytes();
          sim.run(world::close);
          assertThat(after - before).isBetween((long) PAYLOAD_BYTES, 2L * PAYLOAD_BYTES);
          assertThat(seen[0]).as("the first look").isBetween(before, after);
          assertThat(seen[1]).as("the second look").isBetween(seen[0], after);
        });
  }
}
