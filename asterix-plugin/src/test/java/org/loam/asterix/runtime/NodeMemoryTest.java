package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.junit.jupiter.api.Test;

/** What the nodes of a machine may take beside what the machine has. */
class NodeMemoryTest {
  private static final long GIB = 1L << 30;
  private static final NodeMemory RED = new NodeMemory("red", 6 * GIB, 3 * GIB);
  private static final NodeMemory BLUE = new NodeMemory("blue", 4 * GIB, 2 * GIB);

  @Test
  void aNodeThatMayTakeMoreThanTheMachineHasIsRefused() {
    assertThat(RED.check(List.of(), 9 * GIB)).isEmpty();
    assertThatThrownBy(() -> RED.check(List.of(), 9 * GIB - 1))
        .isInstanceOf(StartException.class)
        .hasMessage(
            "memory: red a heap of 6GiB and 3GiB of Loam are 9GiB, but the machine or the control"
                + " group has 9215MiB; lower -Xmx in [nc] jvm.args, or [nc] loam.memory");
  }

  @Test
  void nodesThatMayTakeMoreTogetherAreWarnedOf() {
    assertThat(RED.check(List.of(BLUE), 15 * GIB)).isEmpty();
    assertThat(RED.check(List.of(BLUE), 15 * GIB - 1))
        .get()
        .asString()
        .contains("may take 15GiB")
        .contains("red a heap of 6GiB and 3GiB of Loam, blue a heap of 4GiB and 2GiB of Loam")
        .contains("has 15359MiB");
  }

  private static Options node(String address, String memory, String arguments) {
    return Options.of(
        Map.of(
            NCConfig.Option.ADDRESS,
            address,
            LoamOption.LOAM_MEMORY,
            memory,
            NCConfig.Option.JVM_ARGS,
            arguments));
  }

  @Test
  void nodesBesideAreThoseOfTheSameAddress() {
    Options config =
        new Options(
            Map.of(),
            Map.of(
                "red",
                node("10.0.0.1", "3GiB", ""),
                "blue",
                node("10.0.0.1", "1GiB", "-Xmx2g"),
                "green",
                node("10.0.0.1", "5GiB", "-ea"),
                "broken",
                node("10.0.0.1", "lots", "-Xmx2g"),
                "far",
                node("10.0.0.2", "1GiB", "-Xmx2g")));
    assertThat(NodeMemory.beside(RED, config, 64 * GIB))
        .containsExactlyInAnyOrder(
            new NodeMemory("blue", 2 * GIB, GIB),
            new NodeMemory("green", 6 * GIB, 5 * GIB),
            new NodeMemory("broken", 2 * GIB, 3 * GIB));
  }

  @Test
  void theHeapIsTheLastThatArgumentsName() {
    assertThat(NodeMemory.heap(null)).isEmpty();
    assertThat(NodeMemory.heap("-ea -Xms1g")).isEmpty();
    assertThat(NodeMemory.heap("-Xmx4096m -XX:+UseSerialGC")).contains(4 * GIB);
    assertThat(NodeMemory.heap("-Xmx1g -ea -Xmx2G")).contains(2 * GIB);
    assertThat(NodeMemory.heap("-Xmx1048576k")).contains(GIB);
    assertThat(NodeMemory.heap("-Xmx1073741824")).contains(GIB);
  }

  @Test
  void aPartOfStockStorageWithItsDefaultIsWarnedOf() {
    assertThat(RED.stockDefault("storage.buffercache.size", 6 * GIB / 4))
        .get()
        .asString()
        .contains("storage.buffercache.size has its default, 1536MiB of the heap")
        .contains("set [nc] storage.buffercache.size");
    assertThat(RED.stockDefault("storage.buffercache.size", 64L << 20)).isEmpty();
    assertThat(RED.stockDefault("storage.buffercache.size", GIB)).isEmpty();
    NodeMemory small = new NodeMemory("red", 256L << 20, GIB);
    assertThat(small.stockDefault("storage.buffercache.size", 64L << 20)).isEmpty();
  }
}
