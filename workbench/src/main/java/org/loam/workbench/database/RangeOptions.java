package org.loam.workbench.database;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Direction;
import org.loam.common.key.Keys;
import org.loam.workbench.console.CommandException;
import picocli.CommandLine.Option;

/** Which keys a query finds. */
final class RangeOptions {
  @Option(
      names = "--equal",
      paramLabel = "<value>",
      description = "Show keys with this value, or with these first values: NO,2024.")
  private @Nullable String equal;

  @Option(
      names = "--prefix",
      paramLabel = "<text>",
      description =
          "Show keys with a text that begins so: Os. With several parts, the last one"
              + " begins so: NO,Os.")
  private @Nullable String prefix;

  @Option(
      names = "--from",
      paramLabel = "<value>",
      description = "Show keys from this one on, in the order of the index; this one is included.")
  private @Nullable String from;

  @Option(names = "--after", paramLabel = "<value>", description = "Show keys after this one.")
  private @Nullable String after;

  @Option(
      names = "--to",
      paramLabel = "<value>",
      description = "Show keys up to this one; this one is included.")
  private @Nullable String to;

  @Option(names = "--before", paramLabel = "<value>", description = "Show keys before this one.")
  private @Nullable String before;

  /**
   * The range.
   *
   * @param parts the directions of the key's parts
   * @throws CommandException if the options do not go together
   */
  KeyRange range(List<Direction> parts) {
    requireConsistent();
    if (equal != null) {
      byte[] key = KeyText.beginning(parts, equal);
      return new KeyRange(key, after(key));
    }
    if (prefix != null) {
      byte[] key = KeyText.textBeginning(parts, prefix);
      return new KeyRange(key, after(key));
    }
    byte[] low = first(parts);
    byte[] high = end(parts);
    if (low != null && high != null && Arrays.compareUnsigned(low, high) > 0) {
      throw CommandException.usage(
          "the range is empty: in this order "
              + (from == null ? after : from)
              + " comes after "
              + (to == null ? before : to)
              + "; exchange the two");
    }
    return new KeyRange(low, high);
  }

  private void requireConsistent() {
    boolean bounds = Stream.of(from, after, to, before).anyMatch(Objects::nonNull);
    long kinds = Stream.of(equal, prefix).filter(Objects::nonNull).count() + (bounds ? 1 : 0);
    if (kinds > 1) {
      throw CommandException.usage(
          "choose one of --equal, --prefix and a range of --from, --after, --to, --before");
    }
    if (from != null && after != null) {
      throw CommandException.usage("choose one of --from and --after");
    }
    if (to != null && before != null) {
      throw CommandException.usage("choose one of --to and --before");
    }
  }

  private byte @Nullable [] first(List<Direction> parts) {
    if (from != null) {
      return KeyText.beginning(parts, from);
    }
    return after == null ? null : after(KeyText.beginning(parts, after));
  }

  private byte @Nullable [] end(List<Direction> parts) {
    if (before != null) {
      return KeyText.beginning(parts, before);
    }
    return to == null ? null : after(KeyText.beginning(parts, to));
  }

  /** The end of the keys that begin with this one. */
  private static byte[] after(byte[] key) {
    byte[] end = Keys.afterPrefix(key);
    if (end == null) {
      throw new AssertionError("a key without a part");
    }
    return end;
  }
}
