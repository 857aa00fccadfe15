package org.loam.asterix.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.types.ATypeTag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;

class AdmKeyDecoderTest {
  private static byte[] key(List<AdmValue> fields) {
    KeyBuilder key = new KeyBuilder();
    AdmKeyEncoder encoder = new AdmKeyEncoder(key);
    fields.forEach(field -> encoder.add(field.bytes(), 0, field.bytes().length));
    return key.toBytes();
  }

  private static void check(List<AdmValue> fields) {
    byte[] key = key(fields);
    AdmKeyDecoder decoder = new AdmKeyDecoder(key);
    KeyBuilder again = new KeyBuilder();
    AdmKeyEncoder encoder = new AdmKeyEncoder(again);
    for (AdmValue field : fields) {
      byte[] decoded = decoder.next(field.type().serialize());
      // Of all NaN there is one key, and so one that comes back.
      if (!field.isReal() || field.number() != null) {
        assertThat(decoded).as("%s", field).isEqualTo(field.bytes());
      }
      encoder.add(decoded, 0, decoded.length);
    }
    assertThat(again.toBytes()).isEqualTo(key);
  }

  @Test
  void aFieldComesBack() {
    check(List.of(AdmSamples.MISSING));
    check(List.of(AdmSamples.NULL));
    for (ATypeTag type : AdmOrder.KEY_TYPES.keySet()) {
      AdmSamples.special(type).forEach(value -> check(List.of(value)));
    }
  }

  @Test
  void fieldsComeBackInTheirOrder() {
    SplittableRandom random = new SplittableRandom(7);
    List<ATypeTag> types = List.copyOf(AdmOrder.KEY_TYPES.keySet());
    for (int n = 0; n < 5000; n++) {
      List<AdmValue> fields = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        fields.add(AdmSamples.random(types.get(random.nextInt(types.size())), random));
      }
      check(fields);
    }
  }

  @Test
  void aFieldOfAnotherTypeIsDamage() {
    for (ATypeTag type : AdmOrder.KEY_TYPES.keySet()) {
      AdmValue value = AdmSamples.special(type).get(0);
      for (ATypeTag wrong : AdmOrder.KEY_TYPES.keySet()) {
        if (value.key(Direction.ASCENDING)[0]
            != AdmSamples.special(wrong).get(0).key(Direction.ASCENDING)[0]) {
          assertThatThrownBy(
                  () -> new AdmKeyDecoder(value.key(Direction.ASCENDING)).next(wrong.serialize()))
              .as("%s as %s", value, wrong)
              .isInstanceOf(CorruptionException.class);
        }
      }
    }
    for (ATypeTag none : List.of(ATypeTag.NULL, ATypeTag.MISSING)) {
      assertThatThrownBy(
              () ->
                  new AdmKeyDecoder(key(List.of(AdmValue.of(new AInt64(1)))))
                      .next(none.serialize()))
          .isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void whatIsCutOffIsDamage() {
    for (ATypeTag type : AdmOrder.KEY_TYPES.keySet()) {
      byte[] key = AdmSamples.special(type).get(1).key(Direction.ASCENDING);
      for (int length = 0; length < key.length; length++) {
        byte[] cut = Arrays.copyOf(key, length);
        assertThatThrownBy(() -> new AdmKeyDecoder(cut).next(type.serialize()))
            .as("%d of %s", length, type)
            .isInstanceOf(CorruptionException.class);
      }
    }
  }

  @Test
  void aTypeOfWhichNoKeyIsIsRefused() {
    for (byte tag : new byte[] {-1, 0, 15, 22, 39, 100}) {
      assertThatThrownBy(() -> new AdmKeyDecoder(new byte[] {2}).next(tag))
          .isInstanceOf(UnsupportedFormatException.class);
    }
  }
}
