package org.loam.asterix.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Units;

/**
 * The memory that a node may take: the Java heap, in which AsterixDB's own storage has its part,
 * and Loam's memory outside of it.
 *
 * @param node its identifier
 */
record NodeMemory(String node, long heapBytes, long loamBytes) {
  /** The last one counts. */
  private static final Pattern HEAP = Pattern.compile(".*-Xmx(\\d{1,15})([kmgtKMGT]?)\\b.*");

  private static final String UNITS = "kmgt";

  /** By default each part of AsterixDB's storage takes this fraction of the heap. */
  private static final int STOCK_FRACTION = 4;

  /** What indexes of other kinds need is seldom more. */
  private static final long STOCK_BYTES = 64L << 20;

  private long totalBytes() {
    return heapBytes + loamBytes;
  }

  private String text() {
    return node
        + " a heap of "
        + Units.roundBytes(heapBytes)
        + " and "
        + Units.roundBytes(loamBytes)
        + " of Loam";
  }

  /**
   * Compares the memory of the nodes of a machine with that of the machine.
   *
   * @param others those beside this one, which may be in control groups of their own
   * @param machineBytes of the machine or the control group of this node
   * @return a warning if all together may take more; empty if they fit
   * @throws StartException if this node alone may take more
   */
  Optional<String> check(List<NodeMemory> others, long machineBytes) {
    String has =
        ", but the machine or the control group has " + Units.roundBytes(machineBytes) + "; lower ";
    if (totalBytes() > machineBytes) {
      throw new StartException(
          "memory: "
              + text()
              + " are "
              + Units.roundBytes(totalBytes())
              + has
              + "-Xmx in [nc] jvm.args, or [nc] loam.memory");
    }
    List<NodeMemory> all = new ArrayList<>(List.of(this));
    all.addAll(others);
    long together = all.stream().mapToLong(NodeMemory::totalBytes).sum();
    if (together <= machineBytes) {
      return Optional.empty();
    }
    return Optional.of(
        "memory: the nodes of this address may take "
            + Units.roundBytes(together)
            + " ("
            + all.stream().map(NodeMemory::text).collect(Collectors.joining(", "))
            + ")"
            + has
            + "-Xmx in jvm.args and loam.memory, unless each node has a machine of its own");
  }

  /**
   * The other nodes with the address of a node.
   *
   * @param own the node that starts; another one has a heap as large, unless its options say more
   */
  static List<NodeMemory> beside(NodeMemory own, IApplicationConfig config, long machineBytes) {
    String address = address(config, own.node);
    List<NodeMemory> others = new ArrayList<>();
    for (String node : config.getNCNames()) {
      if (!node.equals(own.node) && address.equals(address(config, node))) {
        IApplicationConfig options = config.getNCEffectiveConfig(node);
        long heapBytes = heap(options.getString(NCConfig.Option.JVM_ARGS)).orElse(own.heapBytes);
        others.add(new NodeMemory(node, heapBytes, loamBytes(options, own, machineBytes)));
      }
    }
    return others;
  }

  private static String address(IApplicationConfig config, String node) {
    return String.valueOf(config.getNCEffectiveConfig(node).getString(NCConfig.Option.ADDRESS));
  }

  /** What is wrong with another node's options is for that node to say. */
  private static long loamBytes(IApplicationConfig options, NodeMemory own, long machineBytes) {
    try {
      return LoamSettings.of(options, machineBytes).engine().memory().totalBytes();
    } catch (IllegalArgumentException e) {
      return own.loamBytes;
    }
  }

  /** The largest heap that arguments of a JVM allow; empty if they do not say it. */
  static Optional<Long> heap(@Nullable String arguments) {
    Matcher heap = HEAP.matcher(arguments == null ? "" : arguments);
    if (!heap.matches()) {
      return Optional.empty();
    }
    int unit = UNITS.indexOf(heap.group(2).toLowerCase(Locale.ROOT));
    int shift = heap.group(2).isEmpty() ? 0 : 10 * (unit + 1);
    return Optional.of(Long.parseLong(heap.group(1)) << shift);
  }

  /**
   * Says of a part of AsterixDB's own storage that it has its default size, which is meant for all
   * indexes.
   *
   * @param option its size in the configuration
   * @param bytes its size
   */
  Optional<String> stockDefault(String option, long bytes) {
    if (bytes != heapBytes / STOCK_FRACTION || bytes <= STOCK_BYTES) {
      return Optional.empty();
    }
    return Optional.of(
        "memory: "
            + option
            + " has its default, "
            + Units.roundBytes(bytes)
            + " of the heap, although B+-tree indexes are in Loam; set [nc] "
            + option
            + ", such as to 64MB, and lower -Xmx or raise loam.memory");
  }
}
