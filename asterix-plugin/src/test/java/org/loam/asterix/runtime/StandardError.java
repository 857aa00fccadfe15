package org.loam.asterix.runtime;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is said on standard error. */
final class StandardError {
  private StandardError() {}

  /** Does something; returns what is said on standard error meanwhile. */
  static String during(Runnable action) {
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(err);
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
