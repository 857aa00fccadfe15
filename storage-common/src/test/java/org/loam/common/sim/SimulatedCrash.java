package org.loam.common.sim;

/**
 * Unwinds a thread of a crashed simulation; only the simulation may catch it. Thrown at every
 * switching point from the crash on.
 */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String message) {
    super(message, null, false, false);
  }
}
