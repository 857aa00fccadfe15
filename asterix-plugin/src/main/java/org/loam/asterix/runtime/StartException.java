package org.loam.asterix.runtime;

import java.util.Optional;
import java.util.function.Supplier;
import org.loam.common.config.ConfigException;
import org.loam.common.error.StorageException;

/**
 * A node does not start, because of its configuration or its data. The message is one line that
 * says what to do. It is also on standard error, since AsterixDB writes it into its log only; there
 * {@code loam asterixdb} looks for it by this class's name.
 */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong, and what to do
   */
  public StartException(String message) {
    super(inOneLine(message));
  }

  private StartException(String message, Throwable cause) {
    super(inOneLine(message), cause);
  }

  /** Part of a start. */
  public interface Part {
    /** Does it. */
    void run() throws Exception;
  }

  /**
   * Does a part of a start; why it is refused, or fails, is said in one line on standard error.
   *
   * @throws StartException with what was said
   */
  public static void aloud(Part part) {
    try {
      part.run();
    } catch (Throwable t) {
      throw say(t, Optional.empty());
    }
  }

  /**
   * Says in one line on standard error why a start is refused, or fails.
   *
   * @param problem what is wrong with the machine in addition, and what to do
   * @return with what was said
   */
  static StartException say(Throwable failure, Optional<String> problem) {
    StartException refusal =
        failure instanceof StartException own
            ? own
            : new StartException(StartFailure.of(failure).text(problem), failure);
    System.err.println(refusal);
    return refusal;
  }

  private static String inOneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", "; ");
  }

  /**
   * Does what Loam may refuse, or fail in.
   *
   * @throws StartException saying why
   */
  static <T> T unless(Supplier<T> start) {
    try {
      return start.get();
    } catch (ConfigException e) {
      throw new StartException(String.join("; ", e.problems()), e);
    } catch (IllegalArgumentException | StorageException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
