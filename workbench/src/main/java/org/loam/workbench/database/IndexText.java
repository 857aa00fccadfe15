package org.loam.workbench.database;

import java.util.ArrayList;
import java.util.List;
import org.loam.common.key.Direction;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An index as the command line has it: {@code latest=customer,date:desc}. Of a field whose own name
 * has a colon the direction is always there: {@code odd=a:b:asc}.
 */
final class IndexText implements ITypeConverter<JsonIndex> {
  private static final String ASCENDING = ":asc";
  private static final String DESCENDING = ":desc";

  @Override
  public JsonIndex convert(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new TypeConversionException(
          "'" + text + "' is no index: write name=path, as in city=address.city");
    }
    List<JsonPath> paths = new ArrayList<>();
    List<Direction> parts = new ArrayList<>();
    try {
      for (String part : text.substring(equals + 1).split(",", -1)) {
        int colon = part.lastIndexOf(':');
        String ending = colon < 0 ? ASCENDING : part.substring(colon);
        if (!ending.equals(ASCENDING) && !ending.equals(DESCENDING)) {
          throw new TypeConversionException(
              "'"
                  + part
                  + "' ends with '"
                  + ending
                  + "', must be :asc or :desc; a name with a colon is followed by one");
        }
        paths.add(JsonPath.parse(colon < 0 ? part : part.substring(0, colon)));
        parts.add(ending.equals(DESCENDING) ? Direction.DESCENDING : Direction.ASCENDING);
      }
      return new JsonIndex(text.substring(0, equals), paths, parts);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  /** What {@link #convert} reads. */
  static String of(JsonIndex index) {
    StringBuilder text = new StringBuilder(index.name());
    char separator = '=';
    for (int i = 0; i < index.paths().size(); i++) {
      String path = index.paths().get(i).toString();
      boolean descending = index.parts().get(i) == Direction.DESCENDING;
      text.append(separator).append(path);
      text.append(descending ? DESCENDING : path.indexOf(':') < 0 ? "" : ASCENDING);
      separator = ',';
    }
    return text.toString();
  }
}
