package org.loam.common.quiet;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For tests with many faults: the engine warns of each, and that is not what is looked at. */
public final class QuietLog implements BeforeAllCallback, AfterAllCallback {
  private static final String LOGGER = "org.loam";

  private Level before = Level.WARN;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = LogManager.getLogger(LOGGER).getLevel();
    Configurator.setLevel(LOGGER, Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Configurator.setLevel(LOGGER, before);
  }
}
