package org.loam.common.sim;

import org.jspecify.annotations.Nullable;

/** The code under simulation did wrong; the message holds the seed that does it again. */
public final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  SimulationFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
