package org.loam.workbench.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/** Records for tests. */
final class Packages {
  private Packages() {}

  static DemoRecord record(
      String name, String section, long size, String maintainer, String... depends) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"package\":\"%s\",\"section\":\"%s\",\"installedSize\":%d,\"maintainer\":\"%s\","
                + "\"depends\":[%s]}",
            name,
            section,
            size,
            maintainer,
            depends.length == 0 ? "" : "\"" + String.join("\",\"", depends) + "\"");
    return DemoRecord.of(Shape.PACKAGES, json.getBytes(UTF_8));
  }

  /** One of many, with values that repeat. */
  static DemoRecord number(int i) {
    return record(
        "p" + i, "section" + i % 5, i * 31L % 97, "m" + i % 13, "libc6", "d" + i % 7, "d" + i % 3);
  }
}
