package com.example.orders;

import java.nio.file.Path;

/** Runs the example; the argument is the directory of the database. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Orders.run(Path.of(arguments[0]), System.out);
  }
}
