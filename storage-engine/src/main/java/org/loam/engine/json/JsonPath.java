package org.loam.engine.json;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.loam.common.error.Arguments;

/**
 * The way to a value in a JSON record: {@code name}, {@code address.city}, {@code labels[]} for
 * each element of an array, {@code lines[].article} for a field of each. Names hold no dots and no
 * brackets. Immutable.
 */
public final class JsonPath {
  private static final String EACH = "[]";

  private final String text;

  /** Names of fields, and {@link #EACH}. */
  private final List<String> steps;

  private JsonPath(String text, List<String> steps) {
    this.text = text;
    this.steps = steps;
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException if it is none, saying why
   */
  public static JsonPath parse(String text) {
    List<String> steps = new ArrayList<>();
    for (String part : Arguments.require(text, "path").split("\\.", -1)) {
      String name = part;
      int each = 0;
      while (name.endsWith(EACH)) {
        name = name.substring(0, name.length() - EACH.length());
        each++;
      }
      if (name.isEmpty() || name.indexOf('[') >= 0 || name.indexOf(']') >= 0) {
        throw new IllegalArgumentException(
            "path '"
                + text
                + "' must be names with dots between them, as a.b, or a[] for each"
                + " element of an array");
      }
      steps.add(name);
      for (int i = 0; i < each; i++) {
        steps.add(EACH);
      }
    }
    return new JsonPath(text, List.copyOf(steps));
  }

  /** Whether it may lead to any number of values; otherwise it leads to one, perhaps missing. */
  public boolean isMultiValued() {
    return steps.contains(EACH);
  }

  /**
   * Shows the values that a record has there. A field that is not there is a {@link MissingNode};
   * an array that is missing or null has no elements.
   *
   * @throws IllegalArgumentException if something else stands where an array should be
   */
  public void forEach(JsonNode record, Consumer<JsonNode> values) {
    walk(record, 0, values);
  }

  /** The same way as a pointer; for a path that leads to one value. */
  JsonPointer pointer() {
    JsonPointer pointer = JsonPointer.empty();
    for (String step : steps) {
      pointer = pointer.appendProperty(step);
    }
    return pointer;
  }

  private void walk(JsonNode node, int step, Consumer<JsonNode> values) {
    if (step == steps.size()) {
      values.accept(node);
    } else if (!steps.get(step).equals(EACH)) {
      // Of anything that is not an object, this is missing.
      walk(node.path(steps.get(step)), step + 1, values);
    } else if (node.isArray()) {
      node.forEach(element -> walk(element, step + 1, values));
    } else if (!node.isMissingNode() && !node.isNull()) {
      throw new IllegalArgumentException(
          "there is " + JsonFormat.typeOf(node) + " at '" + text + "', must be an array");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
