package org.loam.workbench.asterixdb.install;

import java.util.Optional;

/**
 * A script that starts a controller on Loam. It is AsterixDB's own with Loam's application in it:
 * AsterixDB's names an application on the command line, which wins over the configuration.
 */
enum Script {
  /** A node controller; {@code NCService} runs what {@code [nc] command} names. */
  NODE(
      "asterixnc",
      "org.apache.asterix.hyracks.bootstrap.NCApplication",
      "org.loam.asterix.LoamNCApplication"),

  /** The cluster controller. */
  CLUSTER(
      "asterixcc",
      "org.apache.asterix.hyracks.bootstrap.CCApplication",
      "org.loam.asterix.LoamCCApplication");

  private static final String SHEBANG = "#!/bin/sh\n";

  private final String stock;
  private final String stockApplication;
  private final String application;

  Script(String stock, String stockApplication, String application) {
    this.stock = stock;
    this.stockApplication = stockApplication;
    this.application = application;
  }

  /** Loam's, by its name alone. */
  String command() {
    return stock + "loam";
  }

  /** Loam's, relative to the distribution. */
  String own() {
    return "bin/" + command();
  }

  /** AsterixDB's, relative to the distribution. */
  String stock() {
    return "bin/" + stock;
  }

  /** What AsterixDB's script has and Loam's has not. */
  String stockArgument() {
    return "-app-class " + stockApplication;
  }

  /**
   * Makes Loam's script of AsterixDB's.
   *
   * @return empty if AsterixDB's is not as it was released
   */
  Optional<String> derive(String stockText) {
    String[] parts = stockText.split(stockArgument(), -1);
    if (parts.length != 2 || !stockText.startsWith(SHEBANG)) {
      return Optional.empty();
    }
    String text = String.join("-app-class " + application, parts);
    return Optional.of(
        SHEBANG
            + "# Made from "
            + stock
            + " by `loam asterixdb install`, to run AsterixDB on Loam.\n"
            + text.substring(SHEBANG.length())
                .replace("app.name=\"" + stock + "\"", "app.name=\"" + command() + "\""));
  }
}
