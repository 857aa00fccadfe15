package org.loam.common.sim;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFilesContract;

/** The contract on the simulated disk. */
class SimFilesTest extends StorageFilesContract {
  private final Simulation sim = Simulation.seeded(1);

  @Override
  protected StorageFiles files() {
    return sim.env().files();
  }

  @Override
  protected Path directory() {
    return sim.directory();
  }

  @AfterEach
  void close() {
    sim.close();
  }
}
