package org.loam.workbench.peer.inline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.loam.workbench.peer.Store;

class InlineTreeTest {
  private static final int OPERATIONS = 60_000;
  private static final int MOST_VALUE_BYTES = 1_000;

  private final byte[] keyBuffer = new byte[16];
  private final byte[] valueBuffer = new byte[MOST_VALUE_BYTES];

  /** Values of several lengths, so that they are replaced, moved and compacted; three levels. */
  @Test
  void itAnswersAsASortedMap() {
    NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    InlineTree tree = new InlineTree();
    Random random = new Random(1);
    for (int i = 0; i < OPERATIONS; i++) {
      byte[] key = new byte[1 + random.nextInt(3)];
      random.nextBytes(key);
      byte[] value = new byte[random.nextInt(4) * MOST_VALUE_BYTES / 4];
      random.nextBytes(value);
      tree.put(key, value);
      model.put(key, value);
      byte[] other = random.nextBoolean() ? key : new byte[] {key[0], (byte) i};
      byte[] expected = model.get(other);
      int length = tree.get(other, valueBuffer);
      if (expected == null) {
        assertThat(length).isEqualTo(Store.ABSENT);
      } else {
        assertThat(Arrays.copyOf(valueBuffer, length)).isEqualTo(expected);
      }
    }
    assertThat(scan(tree, new byte[0], Integer.MAX_VALUE))
        .containsExactlyElementsOf(List.copyOf(model.keySet()));
    byte[] from = {(byte) 0x80, 1};
    assertThat(scan(tree, from, 100))
        .containsExactlyElementsOf(model.tailMap(from, true).keySet().stream().limit(100).toList());
  }

  private List<byte[]> scan(InlineTree tree, byte[] from, int limit) {
    List<byte[]> keys = new ArrayList<>();
    int shown =
        tree.scan(
            from,
            limit,
            (key, keyLength, value, valueLength) -> keys.add(Arrays.copyOf(key, keyLength)),
            keyBuffer,
            valueBuffer);
    assertThat(shown).isEqualTo(keys.size());
    return keys;
  }
}
