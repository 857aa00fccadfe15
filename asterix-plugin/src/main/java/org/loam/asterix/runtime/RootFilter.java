package org.loam.asterix.runtime;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.filter.AbstractFilter;

/** A filter of all that this process logs. Log4j asks it on each thread that logs. */
abstract class RootFilter extends AbstractFilter {
  /** Sees everything that this process logs from now on; nothing if it does not log by Log4j. */
  public final void install() {
    if (LogManager.getContext(false) instanceof LoggerContext context) {
      start();
      context.getConfiguration().getRootLogger().addFilter(this);
      context.updateLoggers();
    }
  }
}
