package org.loam.common.sim;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.codec.Crc32c;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;

/**
 * The gate that every I/O call passes: a switching point that takes time, is counted, may fail by
 * plan, and may be where the process crashes: before, after or in the middle. Guarded by the baton.
 */
final class SimIo {
  /**
   * Bytes stored through mappings reach the file at one I/O call in so many, as by write-back; of
   * large mappings less often, since each of their pages is compared.
   */
  private static final int ONE_WRITE_BACK_IN = 8;

  private static final int PAGES_COMPARED_IN_A_CALL = 8;

  private static final int CALL_NANOS = 100_000;
  private static final int FORCE_NANOS = 4_000_000;

  private final Baton baton;
  private final SimDisk disk;
  private final FaultPlan faults;
  private final Counters counters;
  private final SimRandom random;
  private final Consumer<CrashKind> crash;

  private final Crc32c checksum = new Crc32c();

  private long callsUntilCrash;
  private CrashKind crashKind = CrashKind.POWER_LOSS;
  private boolean crashesAfterCall;

  /**
   * @param crash stops the process; throws
   */
  SimIo(Baton baton, SimDisk disk, FaultPlan faults, Counters counters, Consumer<CrashKind> crash) {
    this.baton = baton;
    this.disk = disk;
    this.faults = faults;
    this.counters = counters;
    this.random = disk.random();
    this.crash = crash;
  }

  Baton baton() {
    return baton;
  }

  SimDisk disk() {
    return disk;
  }

  /** Crashes at the n-th call from now. */
  void crashAtCall(long n, CrashKind kind) {
    callsUntilCrash = n;
    crashKind = kind;
  }

  /**
   * Starts a call.
   *
   * @return how it must fail; null if it must not
   */
  @Nullable FaultEffect begin(IoKind kind, Path path, String text, long offset, long length) {
    baton.step(kind.name(), text, offset, length);
    boolean forces = kind == IoKind.FORCE || kind == IoKind.FORCE_DIRECTORY;
    baton.pass(random.below(forces ? FORCE_NANOS : CALL_NANOS));
    counters.count(kind);
    if (!disk.mappings().isEmpty() && random.oneIn(callsBetweenWriteBacks())) {
      disk.absorbMappings();
    }
    if (crashesAfterCall) {
      crash.accept(crashKind);
    }
    if (callsUntilCrash > 0 && --callsUntilCrash == 0) {
      if (random.oneIn(2)) {
        crash.accept(crashKind);
      }
      crashesAfterCall = true;
    }
    return faults.isEmpty() ? null : faults.effectOn(new IoCall(kind, path, offset, length));
  }

  private int callsBetweenWriteBacks() {
    long bytes = 0;
    for (SimMapping mapping : disk.mappings()) {
      bytes += mapping.lengthBytes();
    }
    long pages = bytes / SimInode.PAGE_BYTES;
    return (int) Math.max(ONE_WRITE_BACK_IN, pages / PAGES_COMPARED_IN_A_CALL);
  }

  /** Starts a call that can only be refused. */
  void beginPlain(IoKind kind, Path path) {
    String text = path.toString();
    FaultEffect effect = begin(kind, path, text, 0, 0);
    if (effect != null) {
      throw fault(effect, kind.name() + " of " + text, -1);
    }
  }

  /** Ends a call that had its effect; this is where a crash in it may strike. */
  void end() {
    if (crashesAfterCall) {
      crash.accept(crashKind);
    }
  }

  /** How many of the bytes a write gets done: all, unless it is cut off. */
  int partOf(int length, @Nullable FaultEffect effect) {
    if (effect == FaultEffect.IO_ERROR) {
      return 0;
    }
    return effect != null || crashesAfterCall ? random.below(length + 1) : length;
  }

  SimRandom random() {
    return random;
  }

  /** Makes bytes written part of the trace, so that runs that differ only in them differ. */
  void noteBytes(long address, int length) {
    baton.note(checksum.reset().update(address, length).value());
  }

  /** The exception for a planned fault. */
  StorageException fault(FaultEffect effect, String what, long neededBytes) {
    if (effect == FaultEffect.DISK_FULL) {
      return diskFull(what, neededBytes, 0);
    }
    return new StorageIoException(what + " failed: simulated I/O error");
  }

  StorageException diskFull(String what, long neededBytes, long freeBytes) {
    String needed = neededBytes < 0 ? "" : neededBytes + " bytes needed, ";
    return new DiskFullException(
        what + " failed, no space: " + needed + freeBytes + " bytes free", neededBytes, freeBytes);
  }
}
