package org.loam.it.fault;

import org.jspecify.annotations.Nullable;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;

/** What happens at the n-th call. */
enum Strike {
  /** The call fails; of a force, some pages never reach the disk, and the next force succeeds. */
  ERROR_ONCE(FaultEffect.IO_ERROR, null, false, null),
  /** The call and all later ones fail until the disk is healed. */
  ERROR_STICKY(FaultEffect.IO_ERROR, null, true, null),
  /** The call finds no space, later ones do. */
  NO_SPACE_ONCE(FaultEffect.DISK_FULL, null, false, null),
  /** The call and all later ones that need space find none until the disk is healed. */
  NO_SPACE_STICKY(FaultEffect.DISK_FULL, null, true, null),
  /** The disk is full from that call on until space is freed. */
  DISK_FILLS(null, null, true, null),
  /** A write stops after some of its bytes. */
  SHORT_WRITE(FaultEffect.SHORT_WRITE, null, false, null),
  /** A force fails, and power is lost as soon as the engine has told. */
  FORCE_FAILS_POWER_LOSS(FaultEffect.IO_ERROR, IoKind.FORCE, false, CrashKind.POWER_LOSS),
  POWER_LOSS(null, null, false, CrashKind.POWER_LOSS),
  PROCESS_DEATH(null, null, false, CrashKind.PROCESS_DEATH);

  final @Nullable FaultEffect effect;
  final @Nullable IoKind only;
  final boolean sticky;
  final @Nullable CrashKind crash;

  Strike(
      @Nullable FaultEffect effect,
      @Nullable IoKind only,
      boolean sticky,
      @Nullable CrashKind crash) {
    this.effect = effect;
    this.only = only;
    this.sticky = sticky;
    this.crash = crash;
  }

  /** Whether calls of a kind count towards the n-th. */
  boolean concerns(IoKind kind) {
    return (only == null || only == kind) && (effect == null || effect.appliesTo(kind));
  }

  /** Whether it is no matter of this call alone, so that its neighbours show much of the same. */
  boolean goesOn() {
    return sticky || crashesAtCall();
  }

  /** Whether the process dies at the call itself. */
  boolean crashesAtCall() {
    return crash != null && effect == null;
  }
}
