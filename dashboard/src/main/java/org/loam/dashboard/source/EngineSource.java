package org.loam.dashboard.source;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.loam.common.error.ClosedException;
import org.loam.engine.Engine;
import org.loam.tuner.history.HistoryEntry;

/** An engine of this program, which closes it itself. */
public final class EngineSource implements Source {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Engine engine;
  private final Path directory;

  public EngineSource(Engine engine) {
    this.engine = engine;
    this.directory = Objects.requireNonNull(engine.directories().get(0));
  }

  @Override
  public String title() {
    return directory.toString();
  }

  @Override
  public Reading read() throws IOException {
    try {
      ObjectNode statistics = JSON.valueToTree(engine.statistics());
      statistics.set("health", JSON.valueToTree(engine.health()));
      return new Reading(
          statistics,
          "The engine of process " + ProcessHandle.current().pid() + ", which serves this page.");
    } catch (ClosedException e) {
      throw new IOException("The engine was closed.", e);
    }
  }

  @Override
  public List<HistoryEntry> history() {
    return TunerHistory.of(directory);
  }

  @Override
  public void close() {
    // The engine is not ours.
  }
}
