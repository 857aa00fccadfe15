package org.loam.workbench.asterixdb.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;

/**
 * Writes a record so that it is read with all of its types. In AsterixDB's format {@code adm} a
 * number does not say its type, and in a field that the type of the dataset does not declare LOAD
 * makes {@code bigint} or {@code double} of it. The same record in the format {@code lossless-adm}
 * says the types: the text of {@code adm} stays as it is, and numbers become constructors.
 *
 * <p>LOAD cannot read everything that a record may have. Such a record becomes an expression of
 * SQL++ instead, for an INSERT.
 */
final class TypedText {
  private static final Set<String> LEAST =
      Set.of("int8-128", "int16-32768", "int32-2147483648", "int64" + Long.MIN_VALUE);

  /**
   * A record on one line.
   *
   * @param loads whether LOAD reads it; otherwise it is an expression
   */
  record Line(String text, boolean loads) {}

  private final String dataset;
  private final String record;
  private final Set<String> without;
  private final boolean expression;
  private final StringBuilder typed;
  private final StringBuilder path = new StringBuilder();
  private boolean loads = true;
  private int at;

  private TypedText(String dataset, String record, Set<String> without, boolean expression) {
    this.dataset = dataset;
    this.record = record;
    this.without = without;
    this.expression = expression;
    this.typed = new StringBuilder(record.length() + record.length() / 8);
  }

  /**
   * A record with its types.
   *
   * @param record in the format {@code adm}
   * @param lossless the same record in the other format
   * @param without fields that the other format leaves out
   * @throws CommandException if the formats do not say all types, or if these are two records
   */
  static Line of(String dataset, String record, JsonNode lossless, Set<String> without) {
    TypedText line = new TypedText(dataset, record, without, false);
    line.all(lossless);
    if (line.loads) {
      return new Line(line.typed.toString(), true);
    }
    TypedText expression = new TypedText(dataset, record, without, true);
    expression.all(lossless);
    return new Line(expression.typed.toString(), false);
  }

  private void all(JsonNode types) {
    value(types);
    copySpaces();
    if (at < record.length()) {
      throw PlainText.unreadable(record.substring(at));
    }
  }

  /**
   * @param types null if the other format leaves this out
   */
  private void value(@Nullable JsonNode types) {
    copySpaces();
    if (record.startsWith("{{", at)) {
      items("{{", "}}", types);
    } else if (record.startsWith("[", at)) {
      items("[", "]", types);
    } else if (record.startsWith("{", at)) {
      fields(types);
    } else if (record.startsWith("\"", at)) {
      requireSame(types == null || types.isTextual());
      copyTo(PlainText.endOfString(record, at));
    } else {
      scalar(types);
    }
  }

  private void items(String open, String close, @Nullable JsonNode types) {
    requireSame(types == null || types.isArray());
    copyTo(at + open.length());
    copySpaces();
    int parent = path.length();
    int count = 0;
    while (!record.startsWith(close, at)) {
      path.append('[').append(count).append(']');
      JsonNode type = types == null ? null : types.get(count);
      requireSame(types == null || type != null);
      value(type);
      path.setLength(parent);
      copyComma();
      count++;
    }
    requireSame(types == null || types.size() == count);
    copyTo(at + close.length());
  }

  private void fields(@Nullable JsonNode types) {
    requireSame(types == null || types.isObject());
    copyTo(at + 1);
    copySpaces();
    int parent = path.length();
    while (record.startsWith("\"", at)) {
      String quoted = record.substring(at, PlainText.endOfString(record, at));
      String name = PlainText.string(quoted);
      at += quoted.length();
      path.append(parent == 0 ? "" : ".").append(name);
      typed.append(expression ? quoted : '"' + name + '"');
      loads &= isLoadedName(name);
      copySpaces();
      copy(":");
      JsonNode type = types == null ? null : types.get(name);
      requireSame(types == null || type != null || (parent == 0 && without.contains(name)));
      value(type);
      path.setLength(parent);
      copyComma();
    }
    copy("}");
  }

  /** LOAD takes the characters of a name as they are, and ends it at a quotation mark. */
  private static boolean isLoadedName(String name) {
    boolean escaped = false;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' && !escaped) {
        return false;
      }
      escaped = c == '\\' && !escaped;
    }
    return !escaped;
  }

  private void scalar(@Nullable JsonNode types) {
    int end = at;
    while (end < record.length() && isOfWord(record.charAt(end))) {
      end++;
    }
    String word = record.substring(at, end);
    if (word.isEmpty()) {
      throw PlainText.unreadable(record.substring(at));
    }
    if (record.startsWith("(", end)) {
      constructor(word, endOfConstructor(end));
      return;
    }
    at = end;
    switch (word) {
      case "null" -> {
        // In a collection what is missing has a place. No file can say so, and one format prints
        // null.
        if (types == null && path.charAt(path.length() - 1) == ']') {
          throw unmovable(
              "is null or missing in a field with intervals, and AsterixDB prints null");
        }
        boolean missing = types != null && types.asText().equals("0E");
        requireSame(types == null || types.isNull() || missing);
        typed.append(missing ? "missing" : word);
        loads &= !missing;
      }
      case "true", "false" -> {
        requireSame(types == null || types.asText().equals(word));
        typed.append(word);
      }
      default -> typed.append(number(word, types));
    }
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '+' || c == '.' || c == '_';
  }

  private int endOfConstructor(int open) {
    int depth = 0;
    for (int i = open; i < record.length(); ) {
      char c = record.charAt(i);
      if (c == '"') {
        i = PlainText.endOfString(record, i);
        continue;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      i++;
      if (depth == 0) {
        return i;
      }
    }
    throw PlainText.unreadable(record.substring(at));
  }

  private void constructor(String name, int end) {
    typed.append(expression ? name.replace('-', '_') : name);
    at += name.length();
    copyTo(end);
  }

  private String number(String word, @Nullable JsonNode types) {
    if (types == null) {
      throw unmovable(
          "is a number in a field with intervals, where AsterixDB does not say its type");
    }
    String type = "int64";
    if (types.isTextual()) {
      String text = types.asText();
      requireSame(text.length() > 3 && text.charAt(2) == ':');
      type =
          switch (text.substring(0, 2)) {
            case "01" -> "int8";
            case "02" -> "int16";
            case "03" -> "int32";
            case "0B" -> "float";
            case "0C" -> "double";
            default -> throw twoRecords();
          };
      requireSame(!type.startsWith("int") || text.substring(3).equals(word));
    } else {
      requireSame(types.isIntegralNumber() && types.asText().equals(word));
    }
    boolean least = LEAST.contains(type + word);
    loads &= !least;
    boolean bare = type.equals("int64") ? !least : type.equals("double") && !expression;
    return bare ? word : type + "(\"" + word + "\")";
  }

  private void copySpaces() {
    int end = at;
    while (end < record.length() && record.charAt(end) == ' ') {
      end++;
    }
    copyTo(end);
  }

  private void copyComma() {
    copySpaces();
    if (record.startsWith(",", at)) {
      copyTo(at + 1);
    }
    copySpaces();
  }

  private void copy(String mark) {
    if (!record.startsWith(mark, at)) {
      throw PlainText.unreadable(record.substring(at));
    }
    copyTo(at + mark.length());
  }

  private void copyTo(int end) {
    typed.append(record, at, end);
    at = end;
  }

  private void requireSame(boolean condition) {
    if (!condition) {
      throw twoRecords();
    }
  }

  private CommandException twoRecords() {
    return changed(dataset);
  }

  /** Records that came when a dataset was read are not those that came when it was read again. */
  static CommandException changed(String dataset) {
    return CommandException.failed(
        dataset
            + " has changed while it was read: end what writes to it, and move it again. It was not"
            + " loaded or dropped");
  }

  private CommandException unmovable(String why) {
    return PlainText.unmovable(dataset, path.toString(), why, record);
  }
}
