package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.util.ExitUtil;
import org.junit.jupiter.api.Test;

/** A node does not go on without its engine. */
class HaltingHostTest {
  @Test
  void aNodeWhoseEngineTakesNoMoreWritesIsHalted() {
    List<Integer> codes = new ArrayList<>();
    HaltingHost host = new HaltingHost(() -> 7, codes::add);
    assertThat(host.endLsn()).isEqualTo(7);
    host.fenced(new IllegalStateException("planned"));
    assertThat(codes).containsExactly(ExitUtil.EC_IO_OPERATION_FAILED);
  }
}
