package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the commands of a session in the current directory and prints the session as it went. */
final class SessionMain {
  private SessionMain() {}

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    out.print(Session.play(Files.readAllLines(Path.of(arguments[0])), SessionMain::run));
  }

  private static LoamProcess.Result run(String input, String... words) {
    System.setIn(new ByteArrayInputStream(input.getBytes(UTF_8)));
    return LoamTest.inProcess(words);
  }
}
