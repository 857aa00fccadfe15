package org.loam.lsm.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.Identity;

/** Edits become bytes and come back; other bytes are refused in the one documented way. */
class EditCodecTest {
  @Test
  void everyChangeComesBack() {
    Random random = new Random(1);
    ManifestState state = new ManifestState();
    ManifestState copy = new ManifestState();
    ManifestEdit first =
        ManifestEdit.of(new Identity(new DatabaseIdentity(-5, 16384, 0)), new CreateTree(1, "", 0));
    state.apply(first);
    copy.apply(EditCodec.decode(ByteBuffer.wrap(EditCodec.encode(first))));
    for (int i = 0; i < 2000; i++) {
      ManifestEdit edit = Edits.random(state, random, 40);
      state.requireFits(edit);
      state.apply(edit);
      copy.apply(EditCodec.decode(ByteBuffer.wrap(EditCodec.encode(edit))));
      assertThat(copy.sealed()).isEqualTo(state.sealed());
    }
    assertThat(Edits.describe(copy)).isEqualTo(Edits.describe(state));
    ManifestState whole = new ManifestState();
    whole.apply(
        EditCodec.decode(ByteBuffer.wrap(EditCodec.encode(state.snapshot(state.identity())))));
    assertThat(Edits.describe(whole)).isEqualTo(Edits.describe(state));
  }

  @Test
  void otherBytesAreRefused() {
    for (long seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes;
      if (random.nextBoolean()) {
        bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        if (bytes.length > 4) {
          // A plausible count, so that the rest is looked at.
          bytes[0] = (byte) random.nextInt(4);
          bytes[1] = bytes[2] = bytes[3] = 0;
          bytes[4] = (byte) random.nextInt(10);
        }
      } else {
        ManifestState state = new ManifestState();
        state.apply(ManifestEdit.of(new CreateTree(1, "t", 0)));
        bytes = EditCodec.encode(Edits.random(state, random, 9));
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        EditCodec.decode(ByteBuffer.wrap(bytes));
      } catch (IllegalStateException expected) {
        assertThat(expected)
            .hasMessageMatching(
                ".*(after the last|middle of|unknown change|must not come after).*");
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  @Test
  void aCutEditIsRefused() {
    byte[] bytes =
        EditCodec.encode(
            ManifestEdit.of(
                new ManifestEdit.ReplaceComponents(
                    3, java.util.List.of(1, 2), java.util.List.of(Edits.component(9, 5)), 77)));
    for (int length = 0; length < bytes.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(bytes, 0, length).slice();
      assertThatThrownBy(() -> EditCodec.decode(cut)).isInstanceOf(IllegalStateException.class);
    }
  }
}
