package org.loam.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** What the engine logs until this is closed. */
final class LoggedLines extends AbstractAppender implements AutoCloseable {
  private final Logger logger = (Logger) LogManager.getLogger("org.loam");
  private final boolean isAdditive = logger.isAdditive();
  private final Level level = logger.getLevel();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  LoggedLines() {
    super("lines", null, null, true, Property.EMPTY_ARRAY);
    start();
    Configurator.setLevel(logger.getName(), Level.WARN);
    logger.addAppender(this);
    logger.setAdditive(false);
  }

  @Override
  public void append(LogEvent event) {
    lines.add(event.getMessage().getFormattedMessage());
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.setAdditive(isAdditive);
    logger.removeAppender(this);
    Configurator.setLevel(logger.getName(), level);
    stop();
  }
}
