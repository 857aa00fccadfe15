package org.loam.workbench.asterixdb.install;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.NodeDefaults;
import org.loam.common.config.Units;
import org.loam.engine.Engine;

/**
 * Compares the memory that a configuration gives to nodes with that of a machine, as nodes do when
 * they start.
 *
 * @param machineBytes of each machine of the cluster; the one that this command runs on stands for
 *     all of them
 */
record MemoryCheck(IniFile configuration, long machineBytes, ConfigurationCheck check) {
  /** The last one counts. */
  private static final Pattern HEAP = Pattern.compile(".*-Xmx(\\d{1,15})([kmgtKMGT]?)\\b.*");

  private static final String UNITS = "kmgt";

  /** Of the machine's memory; AsterixDB's script chooses it where nothing says the heap. */
  private static final double DEFAULT_HEAP = 0.6;

  /** By default each part of AsterixDB's own storage takes this fraction of the heap. */
  private static final int STOCK_FRACTION = 4;

  /** What indexes of other kinds need is seldom more. */
  private static final long STOCK_BYTES = 64L << 20;

  private static final List<String> STOCK_PARTS =
      List.of("storage.buffercache.size", "storage.memorycomponent.globalbudget");

  private static final String MEMORY = "loam.memory";

  void run() {
    Map<String, Long> machines = new LinkedHashMap<>();
    for (String node : configuration.nodes()) {
      Optional<Long> loam = loamBytes(node);
      if (loam.isPresent()) {
        long bytes = heapBytes(node) + loam.get();
        if (bytes > machineBytes) {
          check.problems().add(tooMuch("[" + node + "] may take ", bytes));
        }
        machines.merge(configuration.of(node, "address").orElse(""), bytes, Long::sum);
      }
      stockParts(node);
    }
    machines.forEach(
        (address, bytes) -> {
          if (bytes > machineBytes) {
            check
                .notes()
                .add(
                    tooMuch(
                        address.isEmpty()
                            ? "all nodes together may take "
                            : "the nodes with address " + address + " may take ",
                        bytes));
          }
        });
  }

  private String tooMuch(String what, long bytes) {
    return what
        + Units.roundBytes(bytes)
        + " of heap and Loam's memory, and this machine has "
        + Units.roundBytes(machineBytes)
        + ": lower -Xmx in jvm.args, or loam.memory, unless they run on larger machines";
  }

  /** Empty if the options are wrong, which is a problem. */
  private Optional<Long> loamBytes(String node) {
    EngineConfigBuilder builder = NodeDefaults.builder();
    try {
      configuration
          .of(node, "loam.settings")
          .ifPresent(text -> builder.yaml(new StringReader(text)));
      Optional<String> memory = configuration.of(node, MEMORY);
      if (memory.isPresent() && builder.hasMemoryTotal()) {
        throw new IllegalArgumentException(
            "loam.settings has memory.total, and there is " + MEMORY);
      }
      memory.ifPresent(text -> builder.memoryTotalBytes(Units.parseBytes(text)));
      EngineConfig config = builder.machineBytes(machineBytes).build();
      Engine.requireFitsBelowHost(config);
      return Optional.of(config.memory().totalBytes());
    } catch (IllegalArgumentException e) {
      check.problems().add("[" + node + "] loam.*: " + e.getMessage());
      return Optional.empty();
    }
  }

  private long heapBytes(String node) {
    return heap(configuration.of(node, "jvm.args").orElse(""))
        .orElse((long) (machineBytes * DEFAULT_HEAP));
  }

  private static Optional<Long> heap(String arguments) {
    Matcher heap = HEAP.matcher(arguments);
    if (!heap.matches()) {
      return Optional.empty();
    }
    int unit = UNITS.indexOf(heap.group(2).toLowerCase(Locale.ROOT));
    int shift = heap.group(2).isEmpty() ? 0 : 10 * (unit + 1);
    return Optional.of(Long.parseLong(heap.group(1)) << shift);
  }

  private void stockParts(String node) {
    long defaultBytes = heapBytes(node) / STOCK_FRACTION;
    for (String part : STOCK_PARTS) {
      if (configuration.of(node, part).isEmpty() && defaultBytes > STOCK_BYTES) {
        check
            .notes()
            .add(
                "["
                    + node
                    + "] has no "
                    + part
                    + ": AsterixDB's own storage takes "
                    + Units.roundBytes(defaultBytes)
                    + " of the heap for it, although B+-tree indexes are in Loam; 64MB is enough"
                    + " for most clusters");
      }
    }
  }
}
