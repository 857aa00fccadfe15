package org.loam.workbench.demo;

import java.util.Comparator;
import java.util.List;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;

/** The kinds of index that each dataset has one of. */
enum IndexKind {
  /** A text, and within it a number, descending. */
  COMPOSITE,
  /** A text. */
  TEXT,
  /** A number, which some records do not have. */
  NUMBER,
  /** An entry for each of many texts. */
  MANY;

  /**
   * A key of any kind of index.
   *
   * @param text empty if the index has none
   * @param number 0 if the index has none
   */
  record Key(String text, long number) {}

  List<Direction> parts() {
    return this == COMPOSITE
        ? List.of(Direction.ASCENDING, Direction.DESCENDING)
        : List.of(Direction.ASCENDING);
  }

  /** The keys that a record has in the index. */
  List<Key> keys(Values values) {
    return switch (this) {
      case COMPOSITE -> List.of(new Key(values.group(), values.number()));
      case TEXT -> List.of(new Key(values.text(), 0));
      case NUMBER -> List.of(new Key("", values.number()));
      case MANY -> values.many().stream().map(text -> new Key(text, 0)).toList();
    };
  }

  Comparator<Key> order() {
    Comparator<Key> byNumber = Comparator.comparingLong(Key::number);
    return Comparator.comparing(Key::text)
        .thenComparing(this == COMPOSITE ? byNumber.reversed() : byNumber);
  }

  /** A key as queries want it. */
  byte[] bytes(Key key) {
    KeyBuilder bytes = new KeyBuilder();
    if (this != NUMBER) {
      bytes.add(key.text());
    }
    if (this == COMPOSITE || this == NUMBER) {
      bytes.direction(this == COMPOSITE ? Direction.DESCENDING : Direction.ASCENDING);
      if (key.number() == Values.NO_NUMBER) {
        bytes.addMissing();
      } else {
        bytes.add(key.number());
      }
    }
    return bytes.toBytes();
  }
}
