package org.loam.workbench.bench.asterixdb;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.loam.workbench.asterixdb.cluster.ClusterStatus;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.console.ProcessFile;

/**
 * What processes have used up so far.
 *
 * @param nodeNanos processor time of both node controllers
 * @param controllerNanos processor time of the cluster controller
 * @param writtenBytes that the node controllers sent towards the disk; -1 where the kernel does not
 *     say
 */
record NodeUsage(long nodeNanos, long controllerNanos, long writtenBytes) {
  /** Of all processes of a cluster. */
  static NodeUsage of(ClusterStatus cluster) {
    List<Long> controllers = processes(cluster, false);
    return new NodeUsage(
        cpuNanos(controllers),
        cpuNanos(processes(cluster, true)),
        sum(controllers, "io", "write_bytes:"));
  }

  /** The most memory that node controllers ever had resident, on average; -1 if it is unknown. */
  static long peakBytes(ClusterStatus cluster) {
    List<Long> processes = processes(cluster, false);
    long kib = sum(processes, "status", "VmHWM:");
    return kib < 0 ? -1 : (kib << 10) / processes.size();
  }

  /**
   * The sum of a number that the kernel has of each process; -1 if it does not say that of one, or
   * if there is none.
   *
   * @param file below the directory of a process
   * @param name in it, with its colon
   */
  static long sum(List<Long> processes, String file, String name) {
    long sum = 0;
    for (long process : processes) {
      long number = ProcessFile.number(Path.of("/proc", String.valueOf(process), file), name);
      if (number < 0) {
        return -1;
      }
      sum += number;
    }
    return processes.isEmpty() ? -1 : sum;
  }

  private static List<Long> processes(ClusterStatus cluster, boolean controller) {
    return cluster.nodes().stream()
        .filter(node -> node.node().equals(Node.CC.id()) == controller)
        .flatMap(node -> Stream.ofNullable(node.processId()))
        .toList();
  }

  private static long cpuNanos(List<Long> processes) {
    return processes.stream()
        .flatMap(id -> ProcessHandle.of(id).stream())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToLong(Duration::toNanos)
        .sum();
  }

  NodeUsage since(NodeUsage earlier) {
    boolean isWrittenKnown = writtenBytes >= 0 && earlier.writtenBytes >= 0;
    return new NodeUsage(
        nodeNanos - earlier.nodeNanos,
        controllerNanos - earlier.controllerNanos,
        isWrittenKnown ? writtenBytes - earlier.writtenBytes : -1);
  }
}
