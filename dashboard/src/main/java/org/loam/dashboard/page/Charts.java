package org.loam.dashboard.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What pages with charts share: uPlot, which draws them. */
public final class Charts {
  private Charts() {}

  /** The script of uPlot, which defines {@code uPlot}. */
  public static String script() {
    return resource(Charts.class, "uplot/uPlot.iife.min.js");
  }

  /** The styles of uPlot. */
  public static String styles() {
    return resource(Charts.class, "uplot/uPlot.min.css");
  }

  /** A text that the build has put beside a class. */
  public static String resource(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("the build lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
