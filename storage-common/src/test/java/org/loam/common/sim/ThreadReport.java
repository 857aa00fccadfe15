package org.loam.common.sim;

import java.util.List;
import java.util.Set;

/** Which thread waits for what, and where in the code, for the message of a failure. */
final class ThreadReport {
  private static final int STACK_FRAMES = 8;

  /** Frames in these classes say nothing that the reader wants to know. */
  private static final Set<String> OWN_CLASSES =
      Set.of(
          Baton.class.getName(),
          Simulation.class.getName(),
          SimMonitor.class.getName(),
          SimWaiter.class.getName(),
          SimIo.class.getName(),
          SimFile.class.getName(),
          SimFiles.class.getName(),
          ThreadReport.class.getName());

  private ThreadReport() {}

  static String of(List<SimThread> threads, long nowNanos) {
    StringBuilder text = new StringBuilder();
    for (SimThread thread : threads) {
      text.append("  ").append(thread.describe(nowNanos)).append('\n');
      int shown = 0;
      for (StackTraceElement frame : thread.stackTrace()) {
        if (isOfInterest(frame.getClassName()) && shown++ < STACK_FRAMES) {
          text.append("      at ").append(frame).append('\n');
        }
      }
    }
    return text.toString();
  }

  private static boolean isOfInterest(String className) {
    return className.startsWith("org.loam.") && !OWN_CLASSES.contains(className);
  }
}
