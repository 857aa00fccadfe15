package org.loam.asterix.runtime;

import java.util.function.Supplier;
import org.loam.common.config.ConfigException;
import org.loam.common.error.StorageException;

/**
 * A node does not start, because of its configuration or its data. The message is one line that
 * says what to do; {@code loam asterixdb} looks for it in what the node said, by this class's name.
 */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(inOneLine(message));
  }

  private StartException(String message, Throwable cause) {
    super(inOneLine(message), cause);
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
