package org.loam.workbench.asterixdb.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The configuration file that all nodes read. AsterixDB knows its options by section, and its
 * defaults are for large machines: each query operator would get 32 MiB.
 */
final class ClusterConfiguration {
  /** Of the heap: operators of several queries have to fit beside the storage, two for each. */
  private static final int OPERATOR_FRACTION = 64;

  private ClusterConfiguration() {}

  static String text(ClusterFiles files, ClusterSettings settings) {
    List<String> lines = new ArrayList<>();
    long operatorBytes = settings.heapBytes() / OPERATOR_FRACTION;
    lines.add("[common]");
    lines.add("default.dir=" + files.directory());
    lines.add("log.dir=" + files.logs());
    lines.add("log.level=WARN");
    for (String operator : List.of("sort", "join", "group", "window", "textsearch")) {
      lines.add("compiler." + operator + "memory=" + operatorBytes);
    }
    addController(lines, settings);
    addNodes(lines, files, settings);
    return String.join("\n", lines) + "\n";
  }

  private static void addController(List<String> lines, ClusterSettings settings) {
    lines.add("");
    lines.add("[cc]");
    lines.add("address=127.0.0.1");
    lines.add("app.class=" + settings.storage().controllerApplication());
    lines.add("api.port=" + settings.httpPort(Node.CC));
    lines.add("cluster.listen.port=" + settings.clusterPort());
    lines.add("client.listen.port=" + settings.clientPort());
    // No program has to find these, so each takes any port that is free.
    for (String service : List.of("active", "web", "web.queryinterface", "console.listen")) {
      lines.add(service + ".port=0");
    }
    // A node that is silent for five periods is taken for dead: 10 seconds instead of 50.
    lines.add("heartbeat.period=2000");
  }

  private static void addNodes(List<String> lines, ClusterFiles files, ClusterSettings settings) {
    lines.add("");
    lines.add("[nc]");
    lines.add("address=127.0.0.1");
    lines.add("app.class=" + settings.storage().nodeApplication());
    lines.add("cluster.address=127.0.0.1");
    lines.add("cluster.port=" + settings.clusterPort());
    // We start the node controllers, no service of AsterixDB does.
    lines.add("ncservice.port=-1");
    lines.addAll(settings.storage().memory(settings.storageBytes()));
    if (settings.storage() == Storage.LOAM && !settings.loam().isEmpty()) {
      lines.add("loam.settings=" + yaml(settings.loam()));
    }
    for (Node node : settings.controllers()) {
      lines.add("");
      lines.add("[nc/" + node.id() + "]");
      lines.add("nc.api.port=" + settings.httpPort(node));
      lines.add("iodevices=" + devices(files.home(node), settings.devices()));
      lines.add("txn.log.dir=" + files.home(node).resolve("log"));
      lines.add("core.dump.dir=" + files.home(node).resolve("dump"));
    }
  }

  private static String yaml(Map<String, String> settings) {
    return settings.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(setting -> setting.getKey() + ": " + setting.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String devices(Path home, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(
            device -> home.resolve(ClusterFiles.DEVICE + (device == 1 ? "" : device)).toString())
        .collect(Collectors.joining(","));
  }
}
