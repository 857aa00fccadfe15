package com.example.orders;

import java.io.PrintStream;
import java.nio.file.Path;

/** Runs the examples; the argument is a directory for their databases. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    run(Path.of(arguments[0]), System.out);
  }

  static void run(Path directory, PrintStream out) {
    Orders.run(directory.resolve("trees"), out);
    OrderDataset.run(directory.resolve("dataset"), out);
  }
}
