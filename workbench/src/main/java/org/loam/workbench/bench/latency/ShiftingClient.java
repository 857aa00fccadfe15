package org.loam.workbench.bench.latency;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.loam.workbench.workload.Workload;

/** One client whose workload is that of the moment at which an operation is due. For one thread. */
final class ShiftingClient implements AutoCloseable {
  private final LatencySpec.Traffic traffic;
  private final Function<Workload, TreesClient> clients;
  private final Map<Workload, TreesClient> open = new EnumMap<>(Workload.class);

  /**
   * @param clients makes that of a workload
   */
  ShiftingClient(LatencySpec.Traffic traffic, Function<Workload, TreesClient> clients) {
    this.traffic = traffic;
    this.clients = clients;
  }

  /**
   * Does one operation; returns whether it wrote.
   *
   * @param dueNanos since the beginning of the phase
   */
  boolean step(long dueNanos) {
    return open.computeIfAbsent(traffic.workloadAt(dueNanos), clients).step();
  }

  @Override
  public void close() {
    open.values().forEach(TreesClient::close);
  }
}
