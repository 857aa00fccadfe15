package org.loam.workbench.database;

import java.util.ArrayList;
import java.util.List;
import org.loam.common.key.Direction;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An index as the command line has it: {@code latest=customer,date:desc}. */
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
        boolean descending = part.endsWith(DESCENDING);
        String ending = descending ? DESCENDING : part.endsWith(ASCENDING) ? ASCENDING : "";
        paths.add(JsonPath.parse(part.substring(0, part.length() - ending.length())));
        parts.add(descending ? Direction.DESCENDING : Direction.ASCENDING);
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
      text.append(separator).append(index.paths().get(i));
      text.append(index.parts().get(i) == Direction.DESCENDING ? DESCENDING : "");
      separator = ',';
    }
    return text.toString();
  }
}
