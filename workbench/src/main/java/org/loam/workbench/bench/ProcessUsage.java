package org.loam.workbench.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.loam.workbench.console.ProcessFile;
import org.loam.workbench.peer.Measured;

/**
 * What this process has used up so far.
 *
 * @param cpuNanos processor time of all threads
 * @param engineBytes written to files, as the engine counts
 * @param kernelBytes sent towards the disk, as the kernel counts: what the engine does not count,
 *     as preparing log files or writing a block again, is in it; -1 where the kernel does not say
 * @param readBytes fetched from the disk, as the kernel counts; -1 where it does not say
 */
public record ProcessUsage(long cpuNanos, long engineBytes, long kernelBytes, long readBytes) {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final Path IO = Path.of("/proc/self/io");

  static ProcessUsage now(Measured engine) {
    return new ProcessUsage(
        processorNanos(),
        engine.bytesWritten(),
        kernelBytesWritten(),
        ProcessFile.number(IO, "read_bytes:"));
  }

  /** Processor time of all threads so far. */
  static long processorNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  public ProcessUsage since(ProcessUsage earlier) {
    return new ProcessUsage(
        cpuNanos - earlier.cpuNanos,
        engineBytes - earlier.engineBytes,
        kernelBytes < 0 ? -1 : kernelBytes - earlier.kernelBytes,
        readBytes < 0 ? -1 : readBytes - earlier.readBytes);
  }

  /** Bytes written, by the best count there is. */
  public long writtenBytes() {
    return kernelBytes < 0 ? engineBytes : kernelBytes;
  }

  /** Bytes this process sent towards the disk, as the kernel counts; -1 where it does not say. */
  static long kernelBytesWritten() {
    return ProcessFile.number(IO, "write_bytes:");
  }

  /** The most memory this process ever had resident; -1 where the kernel does not say. */
  public static long peakResidentBytes() {
    long kib = ProcessFile.number(Path.of("/proc/self/status"), "VmHWM:");
    return kib < 0 ? -1 : kib << 10;
  }
}
