package org.loam.workbench.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A package as a JSON record: the fields of its stanza by their names in lower case. Only two
 * fields differ: {@code installedSize} is a number of KiB, and {@code depends} has the names of
 * packages.
 */
final class PackageRecord {
  private static final String NONE = "none";

  /** Stands between alternatives, and between relations that must all hold. */
  private static final Pattern SEPARATOR = Pattern.compile("[,|]");

  /** Begins what follows a name: a version, an architecture, restrictions. */
  private static final Pattern AFTER_NAME = Pattern.compile("[\\s(:\\[<]");

  private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");

  private PackageRecord() {}

  /**
   * @param key the name, or another key if the name is taken
   */
  static ObjectNode of(String key, Stanza stanza) {
    ObjectNode record = JsonNodeFactory.instance.objectNode();
    record.put("package", key);
    record.put("version", stanza.field("version"));
    record.put("section", Objects.requireNonNullElse(stanza.field("section"), NONE));
    record.put("maintainer", Objects.requireNonNullElse(stanza.field("maintainer"), NONE));
    String size = stanza.field("installed-size");
    if (size != null && DIGITS.matcher(size).matches()) {
      record.put("installedSize", Long.parseLong(size));
    }
    ArrayNode depends = record.putArray("depends");
    names(Objects.requireNonNullElse(stanza.field("depends"), "")).forEach(depends::add);
    stanza
        .fields()
        .forEach(
            (name, value) -> {
              if (!record.has(name) && !name.equals("installed-size")) {
                record.put(name, value);
              }
            });
    return record;
  }

  /** The packages that a field such as {@code Depends} names, each once, in its order. */
  static Set<String> names(String relations) {
    Set<String> names = new LinkedHashSet<>();
    for (String relation : SEPARATOR.split(relations, -1)) {
      String name = AFTER_NAME.split(relation.strip(), 2)[0];
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }
}
