package org.loam.asterix.suite;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of a cluster for the suite: that of AsterixDB's own runs, in small memory, so
 * that queries spill, and two devices for each node; but with ports that are free.
 *
 * @param apiPort the query service
 * @param clusterPort where node controllers find the cluster controller
 * @param clientPort where clients find the cluster controller
 * @param nodePorts HTTP interfaces of the node controllers
 */
record SuiteConfiguration(int apiPort, int clusterPort, int clientPort, List<Integer> nodePorts) {
  private static final int NODES = 2;

  /** With ports that are free at this moment. */
  static SuiteConfiguration onFreePorts() throws IOException {
    List<ServerSocket> taken = new ArrayList<>();
    try {
      for (int i = 0; i < 3 + NODES; i++) {
        taken.add(new ServerSocket(0));
      }
      List<Integer> ports = taken.stream().map(ServerSocket::getLocalPort).toList();
      return new SuiteConfiguration(
          ports.get(0), ports.get(1), ports.get(2), ports.subList(3, ports.size()));
    } finally {
      for (ServerSocket socket : taken) {
        socket.close();
      }
    }
  }

  /** A node by its number from 1 on. */
  static String nodeId(int number) {
    return "asterix_nc" + number;
  }

  /**
   * The file that all nodes read.
   *
   * @param onLoam whether nodes know Loam's options
   * @param settings of Loam, a line of YAML; empty for none
   */
  String text(boolean onLoam, String settings) {
    StringBuilder text = new StringBuilder();
    for (int number = 1; number <= nodePorts.size(); number++) {
      text.append(node(nodeId(number), nodePorts.get(number - 1)));
    }
    String others = settings.isEmpty() ? "" : "loam.settings=" + settings + "\n";
    return text + COMMON.formatted(onLoam ? "loam.memory=256MiB\n" + others : "", apiPort);
  }

  private static String node(String id, int port) {
    return """
        [nc/%1$s]
        txn.log.dir=target/tmp/%1$s/txnlog
        core.dump.dir=target/tmp/%1$s/coredump
        iodevices=iodevice1,iodevice2
        nc.api.port=%2$d

        """
        .formatted(id, port);
  }

  private static final String COMMON =
      """
      [nc]
      address=127.0.0.1
      storage.buffercache.pagesize=32KB
      storage.buffercache.size=128MB
      storage.memorycomponent.globalbudget=512MB
      storage.io.scheduler=greedy
      storage.filtered.memorycomponent.max.size=16MB
      %s
      [cc]
      address=127.0.0.1
      api.port=%d
      active.port=0
      web.port=0
      web.queryinterface.port=0
      console.listen.port=0
      heartbeat.period=2000
      heartbeat.max.misses=25

      [common]
      log.dir=logs/
      log.level=WARN
      compiler.framesize=32KB
      compiler.sortmemory=320KB
      compiler.groupmemory=160KB
      compiler.joinmemory=256KB
      compiler.textsearchmemory=160KB
      compiler.windowmemory=192KB
      compiler.sort.parallel=false
      compiler.internal.sanitycheck=true
      messaging.frame.size=4096
      messaging.frame.count=512
      """;
}
