package org.loam.asterix.runtime;

import java.io.FileNotFoundException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.asterix.app.nc.task.LocalRecoveryTask;
import org.loam.common.error.DiskFullException;

/**
 * The text of a start that fails without a refusal of Loam's: the task of the start that has
 * failed, the messages of all causes, and what to do if that is known.
 *
 * @param causes the failure, its cause, and so on
 */
record StartFailure(List<Throwable> causes) {
  /** AsterixDB's tasks, by whose classes it logs them as well. */
  private static final String TASKS = LocalRecoveryTask.class.getPackageName() + ".";

  /** As Linux says it. */
  private static final String NO_SPACE = "No space left on device";

  static StartFailure of(Throwable failure) {
    return new StartFailure(Causes.of(failure));
  }

  /**
   * @param problem what is wrong with the machine in addition, and what to do
   */
  String text(Optional<String> problem) {
    StringJoiner text = new StringJoiner("; ");
    text.add("the start failed" + task().map(task -> " in " + task).orElse("") + messages());
    if (problem.isPresent()) {
      text.add(problem.get());
    } else if (causes.stream().anyMatch(StartFailure::isOfFullDisk)) {
      text.add("start the node again when there is room");
    }
    return text.toString();
  }

  /** The task that an exception has come through. */
  private Optional<String> task() {
    return causes.stream()
        .flatMap(cause -> Arrays.stream(cause.getStackTrace()))
        .filter(frame -> frame.getMethodName().equals("perform"))
        .map(StackTraceElement::getClassName)
        .filter(name -> name.startsWith(TASKS))
        .map(name -> name.substring(TASKS.length()))
        .findFirst();
  }

  private String messages() {
    StringBuilder messages = new StringBuilder();
    String last = "";
    for (Throwable cause : causes) {
      String message = message(cause);
      if (!message.equals(last) && !isOfItsCause(message, cause)) {
        messages.append(": ").append(message);
        last = message;
      }
    }
    return messages.toString();
  }

  private static String message(Throwable cause) {
    String message = cause.getMessage();
    if (message == null || message.isBlank()) {
      return cause.getClass().getName();
    }
    return isName(cause) ? cause.toString() : message;
  }

  /** Whether the message is the name of a file or a class alone. */
  private static boolean isName(Throwable cause) {
    return cause instanceof LinkageError
        || cause instanceof ClassNotFoundException
        || cause instanceof FileNotFoundException
        || (cause instanceof FileSystemException file && file.getReason() == null);
  }

  /** An exception without a message of its own repeats that of its cause. */
  private static boolean isOfItsCause(String message, Throwable cause) {
    return cause.getCause() != null && message.endsWith(cause.getCause().toString());
  }

  private static boolean isOfFullDisk(Throwable cause) {
    return cause instanceof DiskFullException || message(cause).contains(NO_SPACE);
  }
}
