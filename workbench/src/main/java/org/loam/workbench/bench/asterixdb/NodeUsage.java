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
 * @param writtenBytes that the node controllers sent towards the disk; negative where the kernel
 *     does not say
 */
record NodeUsage(long nodeNanos, long controllerNanos, long writtenBytes) {
  /** Of all processes of a cluster. */
  static NodeUsage of(ClusterStatus cluster) {
    long written = 0;
    for (long process : processes(cluster, false)) {
      written += ProcessFile.number(Path.of("/proc/" + process + "/io"), "write_bytes:");
    }
    return new NodeUsage(
        cpuNanos(processes(cluster, false)), cpuNanos(processes(cluster, true)), written);
  }

  /** The most memory that node controllers ever had resident, on average; negative: unknown. */
  static long peakBytes(ClusterStatus cluster) {
    List<Long> processes = processes(cluster, false);
    long kib = 0;
    for (long process : processes) {
      kib += ProcessFile.number(Path.of("/proc/" + process + "/status"), "VmHWM:");
    }
    return (kib << 10) / Math.max(1, processes.size());
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
    return new NodeUsage(
        nodeNanos - earlier.nodeNanos,
        controllerNanos - earlier.controllerNanos,
        writtenBytes - earlier.writtenBytes);
  }
}
