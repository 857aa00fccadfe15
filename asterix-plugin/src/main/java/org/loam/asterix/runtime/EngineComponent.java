package org.loam.asterix.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hyracks.api.lifecycle.ILifeCycleComponent;
import org.loam.asterix.node.LoamNode;

/** The engine as a part of the node that is stopped with it. */
final class EngineComponent implements ILifeCycleComponent {
  private final LoamNode loam;

  EngineComponent(LoamNode loam) {
    this.loam = loam;
  }

  /** It was opened when it was made. */
  @Override
  public void start() {}

  @Override
  public void dumpState(OutputStream out) throws IOException {
    out.write(loam.statistics().toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void stop(boolean dumpState, OutputStream out) throws IOException {
    if (dumpState) {
      dumpState(out);
    }
    loam.close();
  }
}
