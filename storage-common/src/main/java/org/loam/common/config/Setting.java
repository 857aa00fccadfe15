package org.loam.common.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its name, what it allows, how it reads and writes. Immutable.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
  /** How a type reads from YAML, in words too, and how its values show. */
  private record Kind<T>(
      String form, Function<JsonNode, @Nullable T> read, Function<T, Object> write) {}

  /** Where the value goes when read and where it is found in a finished configuration. */
  record Place<T>(BiConsumer<EngineConfigBuilder, T> set, Function<EngineConfig, T> get) {}

  private record Rule<T>(Predicate<@Nullable T> holds, String text) {}

  /**
   * When another value takes effect.
   *
   * @param fixedBecause why not before the next open; null if at once, in a running engine
   */
  record Change(@Nullable String fixedBecause) {
    static final Change LIVE = new Change(null);

    static Change fixed(String because) {
      return new Change(because);
    }
  }

  private final String name;
  private final Kind<T> kind;
  private final Place<T> place;
  private final Rule<T> rule;
  private final String meaning;
  private final Change change;

  private Setting(
      String name, Kind<T> kind, Place<T> place, Rule<T> rule, String meaning, Change change) {
    this.name = name;
    this.kind = kind;
    this.place = place;
    this.rule = rule;
    this.meaning = meaning;
    this.change = change;
  }

  /** Its full path, with dots. */
  public String name() {
    return name;
  }

  /** What it is for, in a sentence that also says its default. */
  public String meaning() {
    return meaning;
  }

  /** Whether it may change while an engine runs. */
  public boolean isLive() {
    return change.fixedBecause() == null;
  }

  /** Why it cannot change before the next open, in a few words; null if it is live. */
  public @Nullable String fixedBecause() {
    return change.fixedBecause();
  }

  /** The values that it allows, as in "in 64KiB..1GiB". */
  public String allowed() {
    return rule.text;
  }

  static Setting<Long> bytes(
      String name, Place<Long> place, long min, long max, String meaning, Change change) {
    String range = "in " + Units.formatBytes(min) + ".." + Units.formatBytes(max);
    return bytes(name, place, v -> v >= min && v <= max, range, meaning, change);
  }

  static Setting<Long> bytes(
      String name,
      Place<Long> place,
      Predicate<Long> holds,
      String allowed,
      String meaning,
      Change change) {
    Kind<Long> kind =
        new Kind<>(
            "a size such as 512MiB",
            node ->
                node.canConvertToLong() && node.isIntegralNumber() ? size(node) : sizeText(node),
            Setting::shown);
    return new Setting<>(name, kind, place, new Rule<>(holds, allowed), meaning, change);
  }

  static Setting<Integer> integer(
      String name, Place<Integer> place, int min, int max, String meaning, Change change) {
    Kind<Integer> kind =
        new Kind<>(
            "an integer",
            node -> node.isIntegralNumber() && node.canConvertToInt() ? node.intValue() : null,
            v -> v);
    Rule<Integer> rule = new Rule<>(v -> v >= min && v <= max, "in " + min + ".." + max);
    return new Setting<>(name, kind, place, rule, meaning, change);
  }

  static Setting<Double> fraction(
      String name, Place<Double> place, double min, double max, String meaning, Change change) {
    Kind<Double> kind =
        new Kind<>("a number", node -> node.isNumber() ? node.doubleValue() : null, v -> v);
    Rule<Double> rule = new Rule<>(v -> v >= min && v <= max, "in " + min + ".." + max);
    return new Setting<>(name, kind, place, rule, meaning, change);
  }

  static Setting<Boolean> flag(String name, Place<Boolean> place, String meaning, Change change) {
    Kind<Boolean> kind =
        new Kind<>("true or false", node -> node.isBoolean() ? node.booleanValue() : null, v -> v);
    return new Setting<>(
        name, kind, place, new Rule<>(v -> true, "true or false"), meaning, change);
  }

  static <E extends Enum<E>> Setting<E> choice(
      String name, Place<E> place, Class<E> type, String meaning, Change change) {
    String names = String.join(", ", Arrays.stream(type.getEnumConstants()).map(E::name).toList());
    Kind<E> kind =
        new Kind<>(
            "one of " + names,
            node ->
                Arrays.stream(type.getEnumConstants())
                    .filter(value -> value.name().equals(node.textValue()))
                    .findAny()
                    .orElse(null),
            E::name);
    return new Setting<>(
        name, kind, place, new Rule<>(Objects::nonNull, "one of " + names), meaning, change);
  }

  static Setting<String> text(String name, Place<String> place, String meaning, Change change) {
    Kind<String> kind = new Kind<>("text", JsonNode::textValue, v -> v);
    // An absent text is null.
    Rule<String> rule = new Rule<>(v -> v == null || !v.isBlank(), "not blank");
    return new Setting<>(name, kind, place, rule, meaning, change);
  }

  /** Puts the value into the builder, or says what is wrong with its form. */
  @Nullable String read(JsonNode node, EngineConfigBuilder into) {
    T value;
    try {
      value = kind.read.apply(node);
    } catch (IllegalArgumentException e) {
      return name + ": " + e.getMessage();
    }
    if (value == null) {
      String shown = node.isContainerNode() || node.isNull() ? node.toString() : node.asText();
      return name + ": '" + shown + "', must be " + kind.form;
    }
    place.set.accept(into, value);
    return null;
  }

  /** The value as text, in the form that it is read in; empty if there is none. */
  public String textOf(EngineConfig config) {
    Object value = write(config);
    return value == null ? "" : value.toString();
  }

  /** Puts the value of a configuration, if it has one, into a builder. */
  void copy(EngineConfig from, EngineConfigBuilder into) {
    T value = place.get.apply(from);
    if (value != null) {
      place.set.accept(into, value);
    }
  }

  /** The value as YAML shows it; null if there is none. */
  @Nullable Object write(EngineConfig config) {
    T value = place.get.apply(config);
    return value == null ? null : kind.write.apply(value);
  }

  /** What is wrong with the value, null if nothing is. */
  @Nullable String check(EngineConfig config) {
    T value = place.get.apply(config);
    if (rule.holds.test(value)) {
      return null;
    }
    return name + ": " + write(config) + ", must be " + rule.text;
  }

  /** A size that has no unit shows as a number, so that YAML needs no quotes. */
  private static Object shown(Long bytes) {
    String text = Units.formatBytes(bytes);
    return text.equals(bytes.toString()) ? bytes : text;
  }

  private static @Nullable Long size(JsonNode node) {
    return node.longValue();
  }

  private static @Nullable Long sizeText(JsonNode node) {
    return node.isTextual() ? Units.parseBytes(node.textValue()) : null;
  }
}
