package org.loam.workbench.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;

/** The datasets that the demo knows: their key, and the fields that their four indexes are of. */
public enum Shape {
  /** The packages of a Debian machine. */
  PACKAGES("package", "section", "installedSize", "maintainer", "depends[]"),
  /** The orders of TPC-H, each with its lines. */
  ORDERS("order", "priority", "total", "clerk", "lines[].part");

  private static final String EACH = "[]";

  private final String key;
  private final String group;
  private final String number;
  private final String text;
  private final String many;

  /** The key is a field, the others are paths. */
  Shape(String key, String group, String number, String text, String many) {
    this.key = key;
    this.group = group;
    this.number = number;
    this.text = text;
    this.many = many;
  }

  /** The name of the dataset. */
  public String dataset() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The field that is the key, a text. */
  public String key() {
    return key;
  }

  /** The field that is a text of which there are few. */
  public String groupField() {
    return group;
  }

  /** The field that is a text, and by which a record is handed over. */
  public String textField() {
    return text;
  }

  /** The field that is a number, which some records do not have. */
  public String numberField() {
    return number;
  }

  /** The field that is an array. */
  String arrayField() {
    return many.substring(0, many.indexOf(EACH));
  }

  /** An index is named for the last field of its first path. */
  String indexName(IndexKind kind) {
    String path = path(kind).replace(EACH, "");
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private String path(IndexKind kind) {
    return switch (kind) {
      case COMPOSITE -> group;
      case TEXT -> text;
      case NUMBER -> number;
      case MANY -> many;
    };
  }

  List<JsonIndex> indexes() {
    return Arrays.stream(IndexKind.values()).map(this::index).toList();
  }

  private JsonIndex index(IndexKind kind) {
    List<JsonPath> paths = new ArrayList<>();
    paths.add(JsonPath.parse(path(kind)));
    if (kind == IndexKind.COMPOSITE) {
      paths.add(JsonPath.parse(number));
    }
    return new JsonIndex(indexName(kind), paths, kind.parts());
  }

  /** What a record has in the indexed fields; strings are shared, for they repeat. */
  public Values values(ObjectNode record) {
    List<String> elements = new ArrayList<>();
    JsonPath.parse(many).forEach(record, value -> elements.add(value.textValue().intern()));
    return new Values(
        record.path(group).textValue().intern(),
        record.path(number).asLong(Values.NO_NUMBER),
        record.path(text).textValue().intern(),
        elements.stream().distinct().toList());
  }

  /** For people: which records have an element. */
  String having(String element) {
    return switch (this) {
      case PACKAGES -> "packages depend on " + element;
      case ORDERS -> "orders are of " + element;
    };
  }

  /** For people: where the records are the largest. */
  String inGroup(String value) {
    return switch (this) {
      case PACKAGES -> "in section " + value;
      case ORDERS -> "of priority " + value;
    };
  }

  /** The maintainer or clerk that takes over records of others in the demonstration. */
  String successor() {
    return switch (this) {
      case PACKAGES -> "Debian QA Group <packages@qa.debian.org>";
      case ORDERS -> "Clerk#000000000";
    };
  }
}
