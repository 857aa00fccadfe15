package org.loam.workbench.asterixdb.suite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** In place of the suite's runner: a process whose cases end as their names say. */
final class FakeRunner {
  static final String[] CASES = {
    "passes", "fails", "hangs", "dies", "lacks", "spoils", "passes-again"
  };

  private FakeRunner() {}

  public static void main(String[] arguments) throws IOException {
    System.err.println("begins " + arguments[0]);
    if (arguments[0].equals("broken")) {
      System.exit(5);
    }
    if (arguments[0].equals("list")) {
      StringBuilder list = new StringBuilder();
      for (String name : CASES) {
        list.append(list.isEmpty() ? "[" : ",")
            .append("{\"group\":\"g\",\"name\":\"" + name + "\",\"directories\":[")
            .append(name.equals("lacks") ? "\"src/test/resources/runtimets/lacks\"" : "")
            .append("]}");
      }
      System.out.println(list + "]");
      return;
    }
    System.out.println("{\"ready\":true}");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] request = line.split(" ", 2);
      System.err.println("gets " + request[1]);
      String name = CASES[Integer.parseInt(request[0])];
      switch (name) {
        case "fails" -> System.out.println("{\"failure\":\"wrong answer\",\"trees\":0}");
        case "spoils" -> System.out.println("{\"failure\":\"left\",\"spoiled\":true}");
        case "hangs" -> System.err.println("no answer");
        case "dies" -> System.exit(3);
        default ->
            System.out.println(
                "{\"failure\":\"\",\"trees\":6,\"filled\":2"
                    + ",\"cycles\":3,\"moved\":2,\"decided\":1}");
      }
    }
    System.err.println("ends");
  }
}
