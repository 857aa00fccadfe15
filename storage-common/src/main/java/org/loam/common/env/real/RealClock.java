package org.loam.common.env.real;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.loam.common.env.NanoClock;

/** The clocks of the JVM; those of processor time where the JVM has them. */
final class RealClock implements NanoClock {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final boolean timesThreads =
      threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
  private final BusyTime busy = new BusyTime();

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long threadNanos() {
    return timesThreads ? threads.getCurrentThreadCpuTime() : 0;
  }

  @Override
  public long busyNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? busy.until(system.getProcessCpuTime(), system.getAvailableProcessors())
        : 0;
  }
}
