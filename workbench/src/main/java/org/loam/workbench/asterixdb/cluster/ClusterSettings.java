package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * How a cluster is run. Kept in its directory, so that a command that stops or asks it need not
 * repeat it.
 *
 * @param port of the query service; the cluster takes the next ones, too
 * @param heapBytes of each node controller; half of it is buffer cache and memory components, which
 *     Loam has outside of the heap
 * @param storage keeps the data
 * @param devices I/O devices of each node controller, a directory and a partition each; 0, which
 *     settings of older clusters have, is 1
 * @param loam settings of Loam on each node controller that are not its defaults, by their names;
 *     null, which settings of older clusters have, is none
 * @param nodes node controllers, 1 or 2; 0, which settings of older clusters have, is 2
 * @param brief whether the processes live for minutes: their code is compiled at once, and not well
 */
@JsonIgnoreProperties("writeMemoryBytes") // Of older clusters.
public record ClusterSettings(
    @JsonProperty("port") int port,
    @JsonProperty("heapBytes") long heapBytes,
    @JsonProperty("storage") Storage storage,
    @JsonProperty("devices") int devices,
    @JsonProperty("loam") Map<String, String> loam,
    @JsonProperty("nodes") int nodes,
    @JsonProperty("brief") boolean brief) {
  /** What a cluster has by default; its three processes then take 1 GB at work. */
  public static final ClusterSettings DEFAULT =
      new ClusterSettings(19002, 512L << 20, Storage.LOAM);

  private static final int MAX_DEVICES = 16;

  private static final int STORAGE_FRACTION = 4;

  private static final int MIN_PORT = 1024;
  private static final int MAX_PORT = 65_535;

  /** Log pages take 32 MiB of it, classes and network as much; queries need the rest. */
  private static final long MIN_HEAP_BYTES = 256L << 20;

  /** From {@link #port} on: queries, node controllers, clients, and an interface of each node. */
  public static final int PORT_COUNT = 3 + Node.CONTROLLERS.size();

  /** Checks the bounds. */
  public ClusterSettings {
    if (port < MIN_PORT || port > MAX_PORT - PORT_COUNT + 1) {
      throw new IllegalArgumentException(
          "port = "
              + port
              + ", rule: "
              + MIN_PORT
              + " to "
              + (MAX_PORT - PORT_COUNT + 1)
              + ", since the cluster takes "
              + PORT_COUNT
              + " from it on");
    }
    if (heapBytes < MIN_HEAP_BYTES) {
      throw new IllegalArgumentException(
          "memory = " + heapBytes + ", rule: at least " + MIN_HEAP_BYTES + " (256MiB)");
    }
    if (devices < 0 || devices > MAX_DEVICES) {
      throw new IllegalArgumentException(
          "devices = " + devices + ", rule: 1 to " + MAX_DEVICES + " for each node");
    }
    devices = Math.max(1, devices);
    loam = loam == null ? Map.of() : Map.copyOf(loam);
    if (nodes < 0 || nodes > Node.CONTROLLERS.size()) {
      throw new IllegalArgumentException("nodes = " + nodes + ", rule: 1 or 2");
    }
    nodes = nodes == 0 ? Node.CONTROLLERS.size() : nodes;
  }

  /** Settings of a cluster whose nodes have one device. */
  public ClusterSettings(int port, long heapBytes, Storage storage) {
    this(port, heapBytes, storage, 1);
  }

  /** Settings of a cluster of two node controllers. */
  public ClusterSettings(int port, long heapBytes, Storage storage, int devices) {
    this(port, heapBytes, storage, devices, Map.of(), 0, false);
  }

  /** The same, with so many devices for each node. */
  public ClusterSettings withDevices(int count) {
    return new ClusterSettings(port, heapBytes, storage, count, loam, nodes, brief);
  }

  /** The same, with settings of Loam. */
  public ClusterSettings withLoam(Map<String, String> settings) {
    return new ClusterSettings(port, heapBytes, storage, devices, settings, nodes, brief);
  }

  /** The same, with so many node controllers. */
  public ClusterSettings withNodes(int count) {
    return new ClusterSettings(port, heapBytes, storage, devices, loam, count, brief);
  }

  /** The same, for a cluster that lives for minutes. */
  public ClusterSettings briefly() {
    return new ClusterSettings(port, heapBytes, storage, devices, loam, nodes, true);
  }

  /** The node controllers. */
  public Set<Node> controllers() {
    return EnumSet.range(Node.NC1, lastNode());
  }

  private Node lastNode() {
    return nodes == 1 ? Node.NC1 : Node.NC2;
  }

  /** All of its processes. */
  public Set<Node> processes() {
    return EnumSet.range(Node.CC, lastNode());
  }

  /**
   * Bytes of buffer cache of each node controller with stock storage, and as many of memory
   * components; Loam has the sum of both.
   */
  public long storageBytes() {
    return heapBytes / STORAGE_FRACTION;
  }

  /** Where node controllers find the cluster controller. */
  int clusterPort() {
    return port + 1;
  }

  /** Where the cluster controller finds itself as a client. */
  int clientPort() {
    return port + 2;
  }

  /** The HTTP interface of a node; that of the cluster controller is the query service. */
  int httpPort(Node node) {
    return port + node.httpOffset();
  }
}
