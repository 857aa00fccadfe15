package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.FixedMemory;

class ReadAheadBuffersTest {
  private static final long POOL_BYTES = 100L << 20;

  private final FixedMemory fixed = new FixedMemory(ReadAheadBuffers.bytes(POOL_BYTES));
  private final ReadAheadBuffers buffers = new ReadAheadBuffers(fixed, POOL_BYTES);

  @AfterEach
  void close() {
    buffers.close();
  }

  private static List<Integer> takeAll(IntSupplier take) {
    List<Integer> taken = new ArrayList<>();
    for (int at = take.getAsInt(); at != ReadAheadBuffers.NONE; at = take.getAsInt()) {
      taken.add(at);
    }
    return taken;
  }

  @Test
  void aReaderThatWaitsAndOneThatReadsAheadTakeNothingFromEachOther() {
    List<Integer> ahead = takeAll(buffers::takeAhead);
    List<Integer> waiting = takeAll(buffers::take);
    assertThat(ahead).hasSize(2).doesNotContainAnyElementsOf(waiting);
    assertThat(waiting).hasSize(3);
    buffers.give(ahead.get(1));
    assertThat(buffers.take()).isEqualTo(ReadAheadBuffers.NONE);
    assertThat(buffers.takeAhead()).isEqualTo(ahead.get(1));
    buffers.give(waiting.get(1));
    assertThat(buffers.takeAhead()).isEqualTo(ReadAheadBuffers.NONE);
    assertThat(buffers.take()).isEqualTo(waiting.get(1));
  }

  @Test
  void buffersLieOneBehindTheOther() {
    List<Integer> all = new ArrayList<>(takeAll(buffers::take));
    all.addAll(takeAll(buffers::takeAhead));
    long end = buffers.address(all.get(0));
    for (int buffer : all) {
      assertThat(buffers.address(buffer)).isEqualTo(end);
      assertThat(end % StorageFiles.ALIGNMENT).isZero();
      end += buffers.bytes(buffer);
    }
    assertThat(end - buffers.address(all.get(0))).isEqualTo(ReadAheadBuffers.bytes(POOL_BYTES));
  }

  @Test
  void aSmallPoolHasOneForAReaderThatWaitsAndATinyOneHasNone() {
    assertThat(ReadAheadBuffers.bytes((64L << 20) - 1)).isEqualTo(ReadAheadBuffers.BUFFER_BYTES);
    assertThat(ReadAheadBuffers.bytes((32L << 20) - 1)).isZero();
    assertThat(ReadAheadBuffers.bytes(1L << 40))
        .isEqualTo(16 * ReadAheadBuffers.BUFFER_BYTES + 2 * ReadAheadBuffers.AHEAD_BYTES);
  }
}
