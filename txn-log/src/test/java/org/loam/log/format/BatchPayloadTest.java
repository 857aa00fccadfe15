package org.loam.log.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;

/** Batches come back as they went in; nothing else is ever read from damaged ones. */
class BatchPayloadTest {
  @SuppressWarnings("ArrayRecordComponent")
  private record Operation(int treeId, byte kind, byte[] key, byte[] value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Operation o
          && treeId == o.treeId
          && kind == o.kind
          && Arrays.equals(key, o.key)
          && Arrays.equals(value, o.value);
    }

    @Override
    public int hashCode() {
      return treeId;
    }

    long bytes() {
      return BatchPayload.operationBytes(treeId, key.length, value.length);
    }
  }

  private static List<Operation> randomBatch(SplittableRandom random, int maxBytes) {
    List<Operation> batch = new ArrayList<>();
    int count = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[random.nextInt(maxBytes)];
      byte[] value = new byte[random.nextInt(maxBytes)];
      random.nextBytes(key);
      random.nextBytes(value);
      int treeId = random.nextInt(1 << (1 + random.nextInt(30)));
      batch.add(new Operation(treeId, (byte) (1 + random.nextInt(2)), key, value));
    }
    return batch;
  }

  /** The payload in memory of exactly its size, so that the checked mode sees every byte beyond. */
  private static long encode(List<Operation> batch) {
    long bytes = batch.stream().mapToLong(Operation::bytes).sum();
    long payload = Mem.allocate(bytes, 1);
    BatchEncoder encoder = new BatchEncoder();
    encoder.reset(payload, bytes);
    for (Operation op : batch) {
      long key = Mem.allocate(op.key.length + 1, 1);
      long value = Mem.allocate(op.value.length + 1, 1);
      Mem.copyIn(op.key, 0, key, op.key.length);
      Mem.copyIn(op.value, 0, value, op.value.length);
      encoder.add(op.treeId, op.kind, key, op.key.length, value, op.value.length);
      Mem.free(key);
      Mem.free(value);
    }
    assertThat(encoder.lengthBytes()).isEqualTo(bytes);
    return payload;
  }

  private static List<Operation> decode(long payload, int length) {
    List<Operation> batch = new ArrayList<>();
    BatchDecoder decoder = new BatchDecoder();
    decoder.reset(42, payload, length);
    while (decoder.next()) {
      assertThat(decoder.keyAddress()).isBetween(payload, payload + length);
      assertThat(decoder.valueAddress() + decoder.valueLength())
          .isBetween(payload, payload + length);
      byte[] key = new byte[decoder.keyLength()];
      byte[] value = new byte[decoder.valueLength()];
      Mem.copyOut(decoder.keyAddress(), key, 0, key.length);
      Mem.copyOut(decoder.valueAddress(), value, 0, value.length);
      batch.add(new Operation(decoder.treeId(), decoder.kind(), key, value));
    }
    return batch;
  }

  private static int length(List<Operation> batch) {
    return (int) batch.stream().mapToLong(Operation::bytes).sum();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void roundTrip(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      List<Operation> batch = randomBatch(random, 1 + random.nextInt(300));
      long payload = encode(batch);
      assertThat(decode(payload, length(batch))).as("seed %s", seed).isEqualTo(batch);
      Mem.free(payload);
    }
  }

  @Test
  void everyTruncationIsAPrefixOrMalformed() {
    List<Operation> batch = randomBatch(new SplittableRandom(11), 40);
    long whole = encode(batch);
    for (int length = 1; length < length(batch); length++) {
      long cut = Mem.allocate(length, 1);
      Mem.copy(whole, cut, length);
      try {
        List<Operation> read = decode(cut, length);
        assertThat(read).isEqualTo(batch.subList(0, read.size()));
        assertThat(length(read)).isEqualTo(length);
      } catch (CorruptionException e) {
        assertThat(e).hasMessageContaining("LSN 42").hasMessageContaining("payload offset");
      }
      Mem.free(cut);
    }
    Mem.free(whole);
  }

  @Test
  void anyBytesAreReadInBoundsOrMalformed() {
    SplittableRandom random = new SplittableRandom(5);
    int malformed = 0;
    for (int round = 0; round < 5_000; round++) {
      List<Operation> batch = randomBatch(random, 20);
      long payload = encode(batch);
      int length = length(batch);
      for (int hits = 1 + random.nextInt(3); hits > 0; hits--) {
        Mem.putByte(payload + random.nextInt(length), (byte) random.nextInt(256));
      }
      try {
        decode(payload, length);
      } catch (CorruptionException | UnsupportedFormatException e) {
        malformed++;
      }
      Mem.free(payload);
    }
    assertThat(malformed).isGreaterThan(500);
  }

  @Test
  void refusesUnknownKindsAndEmptyPayloads() {
    List<Operation> batch =
        List.of(new Operation(1, EntryKind.PUT, new byte[] {1}, new byte[] {2}));
    long payload = encode(batch);
    for (byte kind : new byte[] {0, 5, -1}) {
      Mem.putByte(payload + 1, kind);
      assertThatThrownBy(() -> decode(payload, length(batch)))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("kind " + kind);
    }
    assertThatThrownBy(() -> decode(payload, 0)).isInstanceOf(CorruptionException.class);
    Mem.free(payload);
  }

  /** They are reserved: a release that writes them is newer, and the bytes are not damaged. */
  @Test
  void refusesReservedKindsAsThoseOfANewerRelease() {
    for (byte kind : new byte[] {EntryKind.DELTA, EntryKind.RANGE_ANTI_MATTER}) {
      List<Operation> batch = List.of(new Operation(1, kind, new byte[] {1}, new byte[] {2}));
      long payload = encode(batch);
      assertThatThrownBy(() -> decode(payload, length(batch)))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContainingAll("LSN 42", "kind " + kind, "use the release that wrote it");
      Mem.free(payload);
    }
  }

  @Test
  void refusesWhatDoesNotFit() {
    long memory = Mem.allocate(64, 8);
    BatchEncoder encoder = new BatchEncoder();
    encoder.reset(memory, 20);
    encoder.add(1, EntryKind.PUT, memory + 32, 4, memory + 40, 4);
    assertThatThrownBy(() -> encoder.add(1, EntryKind.PUT, memory + 32, 4, memory + 40, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("13 bytes")
        .hasMessageContaining("8 left");
    assertThat(encoder.lengthBytes()).isEqualTo(12);
    assertThatThrownBy(() -> encoder.add(-1, EntryKind.PUT, memory, 0, memory, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("treeId -1");
    Mem.free(memory);
  }
}
