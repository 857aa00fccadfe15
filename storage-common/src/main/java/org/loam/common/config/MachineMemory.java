package org.loam.common.config;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The memory of the machine or, if less, of the control group the process runs in. The engine never
 * asks for it: a program that starts an engine may pass it to {@link
 * EngineConfigBuilder#machineBytes}, and a simulation passes a number of its own.
 */
public final class MachineMemory {
  private MachineMemory() {}

  /** Bytes; the JVM knows control groups of version 1 and 2. */
  public static long limitBytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getTotalMemorySize();
  }
}
