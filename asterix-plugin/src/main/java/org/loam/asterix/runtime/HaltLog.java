package org.loam.asterix.runtime;

import java.util.function.Consumer;
import org.apache.hyracks.util.ExitUtil;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;

/**
 * Notices that AsterixDB halts the node, which it does in places that take no callback, as when its
 * log finds no room: the thread logs what has failed, and then that the process is halted. This is
 * a filter that lets everything pass, so that it also sees what {@link FullDiskLog} leaves out.
 */
final class HaltLog extends RootFilter {
  private static final String HALTING = ExitUtil.class.getName();

  /** What the thread has logged last as an error. */
  private static final ThreadLocal<Throwable> LAST_ERROR =
      ThreadLocal.withInitial(
          () -> new IllegalStateException("AsterixDB halts the node; its log says why"));

  private final Consumer<Throwable> host;

  /**
   * @param host is told why, before the process is halted
   */
  HaltLog(Consumer<Throwable> host) {
    this.host = host;
  }

  @Override
  public Result filter(LogEvent event) {
    Level level = event.getLevel();
    if (level.isMoreSpecificThan(Level.FATAL) && HALTING.equals(event.getLoggerName())) {
      host.accept(LAST_ERROR.get());
      LAST_ERROR.remove();
    } else if (level.isMoreSpecificThan(Level.ERROR)) {
      LAST_ERROR.set(
          new IllegalStateException(event.getMessage().getFormattedMessage(), event.getThrown()));
    }
    return Result.NEUTRAL;
  }
}
