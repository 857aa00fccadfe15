package org.loam.workbench.asterixdb.differential;

import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Types of fields. Each has a domain of 256 values in about the order of the type, with the ends of
 * the type and values that look alike; so values meet, and a range of numbers is a range of values.
 */
enum ValueType {
  TINYINT("int8", Role.SCALAR, i -> "" + (i - 128)),
  SMALLINT("int16", Role.SCALAR, i -> "" + spread(i, Short.MIN_VALUE, Short.MAX_VALUE, 251)),
  INT("int32", Role.SCALAR, i -> "" + spread(i, Integer.MIN_VALUE, Integer.MAX_VALUE, 65_537)),
  BIGINT("int64", Role.SCALAR, i -> "" + spread(i, Long.MIN_VALUE, Long.MAX_VALUE, 3)),
  FLOAT("float", Role.SCALAR, i -> Values.fraction(i, 0.25)),
  DOUBLE("double", Role.SCALAR, i -> Values.fraction(i, 1.0 / 1024)),
  STRING("string", Role.SCALAR, Values::string),
  BINARY("binary", Role.SCALAR, Values::bytes),
  DATE("date", Role.SCALAR, Values::date),
  TIME("time", Role.SCALAR, Values::time),
  DATETIME("datetime", Role.SCALAR, i -> Values.date(i) + "T" + Values.time(i * 7 % 256)),
  UUID(
      "uuid",
      Role.SCALAR,
      i -> String.format(Locale.ROOT, "%02x%06x-0000-4000-8000-%012x", i, i * 31, i * 7919L)),
  YEAR_MONTH_DURATION("year_month_duration", Role.SCALAR, Values::months),
  DAY_TIME_DURATION("day_time_duration", Role.SCALAR, Values::millis),
  BOOLEAN("boolean", Role.OTHER, i -> "" + (i % 2 == 0)),
  POINT("point", Role.SPATIAL, i -> Values.point(i, 0)),
  LINE("line", Role.SPATIAL, i -> Values.point(i, 0) + " " + Values.point(i, 3)),
  RECTANGLE("rectangle", Role.SPATIAL, i -> Values.point(i, 0) + " " + Values.point(i, 2)),
  CIRCLE("circle", Role.SPATIAL, i -> Values.point(i, 0) + " " + (1 + i % 4) / 2.0),
  POLYGON(
      "polygon",
      Role.SPATIAL,
      i -> Values.point(i, 0) + " " + Values.point(i, 2) + " " + Values.point(i + 16, 0)),
  TEXT("string", Role.TEXT, Values::words),
  NUMBERS("[bigint]", Role.LIST, Values::numbers),
  WORDS("[string]", Role.LIST, Values::wordList),
  OBJECTS("[{a: bigint, c: string}]", Role.LIST, Values::objects);

  /** Values of a domain. */
  static final int DOMAIN = 256;

  /** What indexes can be made of a field, and what can be asked. */
  enum Role {
    /** B+-trees, and primary keys. */
    SCALAR,
    /** R-trees. */
    SPATIAL,
    /** Inverted indexes. */
    TEXT,
    /** Array indexes. */
    LIST,
    /** None. */
    OTHER
  }

  private final String typeName;
  private final Role role;

  @SuppressWarnings("ImmutableEnumChecker") // its lambdas have no state
  private final IntFunction<String> text;

  ValueType(String typeName, Role role, IntFunction<String> text) {
    this.typeName = typeName;
    this.role = role;
    this.text = text;
  }

  private static long spread(int i, long least, long most, long step) {
    return switch (i) {
      case 0 -> least;
      case 1 -> least + 1;
      case DOMAIN - 1 -> most;
      default -> (i - DOMAIN / 2) * step;
    };
  }

  /** As a declaration has it. */
  String typeName() {
    return typeName;
  }

  Role role() {
    return role;
  }

  /** Whether values of it compare with those of other types of numbers. */
  boolean isNumber() {
    return compareTo(DOUBLE) <= 0;
  }

  /** Whether sums of it are the same in any order. */
  boolean isWhole() {
    return this == TINYINT || this == SMALLINT || this == INT;
  }

  /**
   * A value as an expression.
   *
   * @param number 0 to 255
   */
  String literal(int number) {
    return literal(number, typeName);
  }

  /** A value as files of LOAD have it. */
  String fileLiteral(int number) {
    return literal(number, typeName.replace('_', '-'));
  }

  private String literal(int number, String constructor) {
    String value = text.apply(number);
    return switch (this) {
      case STRING, TEXT -> '"' + value + '"';
      case BINARY -> "hex(\"" + value + "\")";
      case BOOLEAN, NUMBERS, WORDS, OBJECTS -> value;
      default -> constructor + "(\"" + value + "\")";
    };
  }
}
