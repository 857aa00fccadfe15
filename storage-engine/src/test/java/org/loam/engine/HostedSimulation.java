package org.loam.engine;

import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;

/** A simulation with a host in it, which ends with the test that registers it. */
final class HostedSimulation implements AfterEachCallback {
  private final SimulatedHost host = new SimulatedHost(new Random(1));
  private final Simulation sim = Simulation.seeded(1);
  private final EngineConfig config;

  /**
   * @param config of the engines that are opened in it
   */
  HostedSimulation(EngineConfig config) {
    this.config = config;
  }

  SimulatedHost host() {
    return host;
  }

  Simulation sim() {
    return sim;
  }

  /** Runs an engine below the host from open to close. */
  void inEngine(Consumer<Engine> work) {
    host.inEngine(sim, config, work);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    sim.close();
  }
}
