package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentLink;

/** What is put through windows is in the file, wherever the windows end and whichever is closed. */
class SegmentWindowsTest {
  private static final int SEGMENT_BYTES = 128 << 10;
  private static final int WINDOW_BYTES = 16 << 10;
  private static final long BASE_LSN = 7L * SEGMENT_BYTES;

  private final SegmentHeader header =
      SegmentHeader.prepared(1, 0, SEGMENT_BYTES, new SegmentLink(BASE_LSN, 3, 5), 0);
  private final long scratch = Mem.allocate(SEGMENT_BYTES + 1, 8, "test bytes");
  private final PageProbe probe = new PageProbe(scratch + SEGMENT_BYTES);
  private final byte[] expected = new byte[SEGMENT_BYTES];
  private Simulation sim;
  private Path path;
  private StorageFile file;

  @BeforeEach
  void createFile() {
    sim = Simulation.seeded(1);
    path = sim.directory().resolve("segment");
    sim.env().files().createDirectories(sim.directory());
    file = sim.env().files().open(path, Mode.CREATE_BUFFERED);
    Mem.fill(scratch, SEGMENT_BYTES, (byte) 0);
    file.write(0, scratch, SEGMENT_BYTES);
    file.force();
    sim.env().files().forceDirectory(sim.directory());
  }

  @AfterEach
  void close() {
    Mem.free(scratch);
    sim.close();
  }

  @Test
  void piecesOfAnyLengthComeTogether() {
    SplittableRandom random = new SplittableRandom(4);
    SegmentWindows windows = SegmentWindows.map(file, header, WINDOW_BYTES);
    long lsn = header.dataStartLsn();
    while (lsn < header.dataEndLsn()) {
      int most = random.nextInt(8) == 0 ? 3 * WINDOW_BYTES : 900;
      int length = (int) Math.min(1 + random.nextInt(most), header.dataEndLsn() - lsn);
      put(windows, lsn, length, random);
      windows.pass(lsn + length);
      lsn += length;
      if (random.nextInt(20) == 0) {
        windows.closePassed();
        file.force();
      }
    }
    windows.closePassed();
    file.force();
    windows.close();
    file.close();
    sim.crash(CrashKind.POWER_LOSS);
    assertThat(sim.disk().read(path)).isEqualTo(expected);
  }

  @Test
  void onlyWhatWasPassedIsUnmapped() {
    SplittableRandom random = new SplittableRandom(5);
    SegmentWindows windows = SegmentWindows.map(file, header, WINDOW_BYTES);
    long border = BASE_LSN + 2 * WINDOW_BYTES;
    windows.pass(border - 1);
    windows.closePassed();
    put(windows, border - 1, 2, random);
    windows.pass(border + 1);
    windows.closePassed();
    windows.closePassed();
    put(windows, border + 1, 100, random);
    windows.close();
    windows.close();
    assertThat(sim.disk().read(path)).isEqualTo(expected);
    file.close();
  }

  /** The first window is mapped, the third one is not: nothing stays mapped. */
  @Test
  void aMappingThatFailsLeavesNone() {
    long before = Mem.liveBytes();
    sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.MAP).nth(3));
    assertThatThrownBy(() -> SegmentWindows.map(file, header, WINDOW_BYTES))
        .isInstanceOf(StorageIoException.class);
    assertThat(Mem.liveBytes()).isEqualTo(before);
    file.close();
  }

  private void put(SegmentWindows windows, long lsn, int length, SplittableRandom random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    Mem.copyIn(bytes, 0, scratch, length);
    windows.put(lsn, scratch, length);
    assertThat(windows.reaches(lsn, lsn + length, probe)).isTrue();
    int at = (int) (lsn - BASE_LSN);
    System.arraycopy(bytes, 0, expected, at, length);
  }
}
