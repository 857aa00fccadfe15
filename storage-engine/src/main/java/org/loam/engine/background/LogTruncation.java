package org.loam.engine.background;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.loam.engine.tree.Installer;
import org.loam.engine.tree.LiveSettings;
import org.loam.log.CommitLog;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.SmallOperation;
import org.loam.scheduler.work.StepResult;

/**
 * Truncates a long log that memory needs nothing of, so that no flush is to come that would do it.
 * A drop leaves such a log if the writes of its tree are not forced yet, and so do two flushes that
 * end together, since each of them spares what the other one has in memory.
 *
 * <p>Thread-safe; one operation, which is taken again and again.
 */
public final class LogTruncation extends SmallOperation {
  private final CommitLog log;
  private final LiveSettings settings;
  private final Installer installer;
  private final AtomicBoolean taken = new AtomicBoolean();

  public LogTruncation(CommitLog log, LiveSettings settings, Installer installer) {
    super(IoClass.FLUSH);
    this.log = log;
    this.settings = settings;
    this.installer = installer;
  }

  /** Takes the operation if there is something to do and no other thread is at it. */
  @Nullable BackgroundOperation take() {
    return isDue() && taken.compareAndSet(false, true) ? this : null;
  }

  /**
   * A frame takes at most a quarter of a segment, and the log has room for two segments: so a log
   * that is shorter than half of its maximum refuses no write. How long a host keeps its log is for
   * the host to say.
   */
  private boolean isDue() {
    return !log.isHosted()
        && log.lengthBytes() >= settings.config().log().maxBytes() / 2
        && installer.isMemoryEmpty();
  }

  @Override
  public StepResult step(long quantumBytes) {
    installer.truncateUnneeded();
    taken.set(false);
    return StepResult.DONE;
  }

  @Override
  public void abort() {
    taken.set(false);
  }
}
