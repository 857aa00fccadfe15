package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentLink;

/** Schedules of a thread that appends to a segment while another one forces it. */
@Tag("once")
@Explored
class SegmentWindowsScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int SEGMENT_BYTES = 64 << 10;
  private static final int WINDOW_BYTES = 8 << 10;
  private static final int PAYLOAD_BYTES = 3000;
  private static final int FRAME_BYTES = FrameLayout.HEADER_BYTES + PAYLOAD_BYTES;
  private static final int FRAMES = 12;
  private static final int FORCES = 6;
  private static final long BASE_LSN = 3L * SEGMENT_BYTES;

  private static final SegmentHeader HEADER =
      SegmentHeader.prepared(1, 0, SEGMENT_BYTES, new SegmentLink(BASE_LSN, 3, 5), 0);

  /** No window is unmapped that the appending thread still looks at, and no byte gets lost. */
  @Test
  void whatIsAppendedBesideForcesIsDurableAfterTheLast() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Path path = sim.directory().resolve("segment");
          LogSegment[] made = new LogSegment[1];
          sim.run(() -> made[0] = create(sim, path));
          LogSegment segment = made[0];
          sim.run(
              () -> append(segment),
              () -> {
                for (int i = 0; i < FORCES; i++) {
                  segment.force();
                }
              });
          sim.run(
              () -> {
                segment.force();
                segment.release();
              });
          sim.crash(CrashKind.POWER_LOSS);
          assertThat(sim.disk().read(path)).isEqualTo(expected());
        });
  }

  private static LogSegment create(Simulation sim, Path path) {
    SwitchPoints.hold();
    StorageFile file = sim.env().files().open(path, Mode.CREATE_BUFFERED);
    long zeros = Mem.allocate(SEGMENT_BYTES, 8, "zeros");
    Mem.fill(zeros, SEGMENT_BYTES, (byte) 0);
    file.write(0, zeros, SEGMENT_BYTES);
    Mem.free(zeros);
    file.force();
    sim.env().files().forceDirectory(sim.directory());
    LogSegment segment = LogSegment.prepared(file, HEADER, WINDOW_BYTES);
    SwitchPoints.release();
    return segment;
  }

  private static void append(LogSegment segment) {
    long frame = Mem.allocate(FRAME_BYTES + 1, 8, "frame");
    PageProbe probe = new PageProbe(frame + FRAME_BYTES);
    for (int i = 0; i < FRAMES; i++) {
      Mem.fill(frame, FRAME_BYTES, (byte) (i + 1));
      long payload = frame + FrameLayout.HEADER_BYTES;
      assertThat(segment.write(lsn(i), frame, payload, PAYLOAD_BYTES, probe)).isTrue();
    }
    Mem.free(frame);
  }

  private static long lsn(int frame) {
    return HEADER.dataStartLsn() + (long) frame * FRAME_BYTES;
  }

  private static byte[] expected() {
    byte[] bytes = new byte[SEGMENT_BYTES];
    for (int i = 0; i < FRAMES; i++) {
      int from = (int) (lsn(i) - BASE_LSN);
      Arrays.fill(bytes, from, from + FRAME_BYTES, (byte) (i + 1));
    }
    return bytes;
  }
}
