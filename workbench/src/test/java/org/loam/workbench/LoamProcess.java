package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;

/** A Java process as a user has it: arguments, streams, an exit code. */
final class LoamProcess {
  /** What a user sees of one command. */
  record Result(int exitCode, String out, String err) {}

  /** Reads what a process says. */
  interface Reading {
    String read(Process process) throws IOException;
  }

  private LoamProcess() {}

  /** Runs a command to its end. */
  static Result run(String... arguments) {
    return run(builder(256, Loam.class, arguments), LoamProcess::all);
  }

  /** Runs a command on the files of this clone, which must exit with 0; what it prints as JSON. */
  static JsonNode document(String... arguments) {
    ProcessBuilder builder = builder(256, Loam.class, arguments);
    builder.command().add(1, "-Dloam.home=" + Path.of("..").toAbsolutePath().normalize());
    Result result = run(builder, LoamProcess::all);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.OK);
    return Json.read(result.out(), JsonNode.class);
  }

  /** All that it says; nothing is said to it. */
  static String all(Process process) throws IOException {
    return all(process, "");
  }

  /** All that it says to an input of a few lines, which it need not read. */
  static String all(Process process, String input) throws IOException {
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(UTF_8));
    } catch (IOException e) {
      // It has ended already.
      assertThat(e).hasMessageContaining("Broken pipe");
    }
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  static Result run(ProcessBuilder builder, Reading reading) {
    try {
      Path err = Files.createTempFile("loam", "err");
      try {
        Process process = builder.redirectError(err.toFile()).start();
        String out = reading.read(process);
        return new Result(process.waitFor(), out, Files.readString(err));
      } finally {
        Files.delete(err);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static ProcessBuilder builder(int heapMib, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The second compiler costs more than it brings to a process that ends so soon.
    command.addAll(
        List.of("-Xmx" + heapMib + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("LOAM_DIRECTORY");
    // As the script does.
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder;
  }
}
