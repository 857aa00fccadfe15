package org.loam.it.corrupt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.SimDisk;

/**
 * Every byte of every file of databases at rest is changed, in one of its bits, one by one; but of
 * long runs of zeros one byte in 128 is; files are cut, lost, and get pages zeroed and swapped. The
 * damage is found and named, or the answer is right, or the log is cut above what was durable and
 * opening reports that. Never is an answer wrong.
 *
 * <p>{@code -Dloam.corrupt.first=N} begins with byte N of those 128; {@code -Dloam.corrupt.zeros=N}
 * takes one zero in N, {@code -Dloam.corrupt.bits=all} all bits of a byte, as a soak does; {@code
 * -Dloam.corrupt.all=true} flips each bit of each byte.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class EveryByteFlippedTest {
  private static final boolean ALL = Boolean.getBoolean("loam.corrupt.all");
  private static final int PAGE_BYTES = 4096;

  /** A zero byte with no other bytes than zeros this near is in a run. */
  private static final int NEAR_BYTES = 1;

  /**
   * Of the bits of a byte, one in so many is flipped. Which, its place says: in each page it is
   * another bit of the same field.
   */
  private static final int BIT_STEP = "all".equals(System.getProperty("loam.corrupt.bits")) ? 1 : 8;

  private static final int FEWEST_FLIPS = 22_000;

  private static final int ONE_ZERO_IN = Integer.getInteger("loam.corrupt.zeros", 128);
  private static final int FIRST_ZERO = Integer.getInteger("loam.corrupt.first", 0) % ONE_ZERO_IN;

  /** One refused open in so many is undone, to see that it has destroyed nothing. */
  private static final int ONE_REPAIR_IN = 16;

  @Test
  void flippedBitsAreFoundOrHarmless() {
    Tally tally = new Tally("flipped bits");
    for (Victim victim : Victim.all()) {
      Probe probe = new Probe(victim);
      for (Path file : victim.disk().files()) {
        byte[] bytes = victim.disk().read(file);
        for (int offset = 0; offset < bytes.length; offset++) {
          if (ALL || matters(bytes, offset)) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
              if (ALL || (bit - offset - offset / PAGE_BYTES) % BIT_STEP == 0) {
                flip(tally, probe, victim, file, offset, 1 << bit);
              }
            }
          }
        }
      }
    }
    assertThat(tally.finish()).isGreaterThan(FEWEST_FLIPS);
  }

  private static void flip(
      Tally tally, Probe probe, Victim victim, Path file, int offset, int mask) {
    boolean repairs = offset % ONE_REPAIR_IN == 0;
    tally.add(
        victim,
        file,
        "bit " + Integer.numberOfTrailingZeros(mask) + " of byte " + offset,
        () ->
            probe.judge(
                Probe.fileName(file),
                disk -> disk.flip(file, offset, mask),
                repairs ? disk -> disk.flip(file, offset, mask) : null));
  }

  private static boolean matters(byte[] bytes, int offset) {
    if (offset % ONE_ZERO_IN == FIRST_ZERO) {
      return true;
    }
    int to = Math.min(bytes.length, offset + NEAR_BYTES + 1);
    for (int i = Math.max(0, offset - NEAR_BYTES); i < to; i++) {
      if (bytes[i] != 0) {
        return true;
      }
    }
    return false;
  }

  @Test
  void cutFilesAreFoundOrHarmless() {
    Tally tally = new Tally("cut files");
    for (Victim victim : Victim.all()) {
      Probe probe = new Probe(victim);
      for (Path file : victim.disk().files()) {
        long size = victim.disk().read(file).length;
        for (long length = 0; length < size; length += ALL ? 512 : PAGE_BYTES) {
          long cut = length;
          damage(tally, probe, victim, file, "cut to " + cut, disk -> disk.truncate(file, cut));
        }
      }
    }
    tally.finish();
  }

  @Test
  void lostFilesAreFoundOrHarmless() {
    Tally tally = new Tally("lost files");
    for (Victim victim : Victim.all()) {
      Probe probe = new Probe(victim);
      for (Path file : victim.disk().files()) {
        // The name of a segment that is not there cannot be known.
        String named = Victim.kind(file).equals("log segment") ? "segment" : Probe.fileName(file);
        tally.add(victim, file, "lost", () -> probe.judge(named, disk -> disk.remove(file), null));
      }
    }
    tally.finish();
  }

  @Test
  void zeroedAndSwappedPagesAreFoundOrHarmless() {
    Tally tally = new Tally("zeroed and swapped pages");
    for (Victim victim : Victim.all()) {
      Probe probe = new Probe(victim);
      for (Path file : victim.disk().files()) {
        byte[] bytes = victim.disk().read(file);
        for (int at = 0; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
          int page = at;
          damage(
              tally,
              probe,
              victim,
              file,
              "zeros at " + page,
              disk -> disk.overwrite(file, page, new byte[PAGE_BYTES]));
          if (page + 2 * PAGE_BYTES <= bytes.length) {
            damage(tally, probe, victim, file, "swap at " + page, disk -> swap(disk, file, page));
          }
        }
      }
    }
    tally.finish();
  }

  private static void swap(SimDisk disk, Path file, int at) {
    byte[] bytes = disk.read(file);
    int middle = at + PAGE_BYTES;
    disk.overwrite(file, at, Arrays.copyOfRange(bytes, middle, middle + PAGE_BYTES));
    disk.overwrite(file, middle, Arrays.copyOfRange(bytes, at, middle));
  }

  private static void damage(
      Tally tally,
      Probe probe,
      Victim victim,
      Path file,
      String what,
      java.util.function.Consumer<SimDisk> damage) {
    tally.add(victim, file, what, () -> probe.judge(Probe.fileName(file), damage, null));
  }
}
