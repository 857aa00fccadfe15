package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void portsBehindAClusterAreFree() throws IOException {
    ClusterSettings settings = FreePorts.settings(Storage.LOAM);
    int first = Ports.findFree(settings, 1).get(0);
    assertThat(first).isGreaterThanOrEqualTo(settings.port() + ClusterSettings.PORT_COUNT);
    try (ServerSocket taken = new ServerSocket(first)) {
      List<Integer> ports = Ports.findFree(settings, 3);
      assertThat(ports).hasSize(3).doesNotHaveDuplicates().doesNotContain(taken.getLocalPort());
    }
  }
}
