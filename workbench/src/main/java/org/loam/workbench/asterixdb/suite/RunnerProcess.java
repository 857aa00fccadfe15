package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.loam.workbench.console.Json;

/**
 * A process that runs cases on request: one line to it, one line of JSON from it. It ends when its
 * input does, so it never outlives us. For one thread.
 */
final class RunnerProcess implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofMinutes(1);

  /** There is no answer, and will be none. */
  static final class SilentException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    private SilentException(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  private final Process process;
  private final Writer requests;

  /** Empty at the end. */
  private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

  /**
   * Starts it.
   *
   * @param classPath in the environment, because it is longer than an argument may be
   * @param log takes what it says that is no answer, at its end
   */
  RunnerProcess(List<String> command, String classPath, Path directory, Path log) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(Redirect.appendTo(log.toFile()));
    builder.environment().put("CLASSPATH", classPath);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    requests = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::readAnswers, "answers");
    reader.setDaemon(true);
    reader.start();
  }

  private void readAnswers() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answers.add(Optional.of(line));
      }
    } catch (IOException e) {
      // As good as the end.
    }
    answers.add(Optional.empty());
  }

  /** Asks; if the process has ended, that is found when the answer does not come. */
  void ask(String request) {
    try {
      requests.write(request + "\n");
      requests.flush();
    } catch (IOException e) {
      answers.add(Optional.empty());
    }
  }

  /**
   * The next answer.
   *
   * @throws SilentException if it takes too long, or the process has ended
   */
  JsonNode answer(Duration limit) throws InterruptedException, SilentException {
    Optional<String> answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (answer == null) {
      throw new SilentException("no end after " + limit.toSeconds() + " s");
    }
    if (answer.isEmpty()) {
      process.waitFor();
      throw new SilentException("the cluster's process ended, exit code " + process.exitValue());
    }
    return Json.read(answer.get(), JsonNode.class);
  }

  /** Lets it end by itself; a minute later, by force. */
  @Override
  public void close() throws InterruptedException {
    try {
      requests.close();
    } catch (IOException e) {
      // It has ended.
    }
    try {
      process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
