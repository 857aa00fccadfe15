package org.loam.dashboard.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.real.DirectoryOwner;
import org.loam.common.error.StorageException;
import org.loam.tuner.history.HistoryEntry;

/**
 * The engine that has a directory open in another process. While there is none, the history of the
 * memory tuner is what can be shown; an engine that opens the directory later is found then.
 */
public final class DirectorySource implements Source {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int REST = 5;

  private final Path directory;
  private @Nullable AttachedEngine engine;
  private long pid;

  /** Why the process could not be attached to. */
  private String refusal = "";

  /** Looks that are left until it is tried again: an engine that opens now is shown soon. */
  private int rest;

  public DirectorySource(Path directory) {
    this.directory = directory;
  }

  @Override
  public String title() {
    return directory.toAbsolutePath().normalize().toString();
  }

  @Override
  public Reading read() throws IOException {
    if (engine == null) {
      String lacking = connect();
      if (engine == null) {
        return new Reading(null, lacking + " What is shown is the history of the memory tuner.");
      }
    }
    try {
      return new Reading(statistics(engine), "The engine of process " + pid + ", read by JMX.");
    } catch (IOException e) {
      disconnect();
      throw new IOException("The engine of process " + pid + " is out of reach.", e);
    }
  }

  private static JsonNode statistics(AttachedEngine engine) throws IOException {
    JsonNode statistics = JSON.readTree(engine.statistics());
    String health = engine.health();
    if (health != null) {
      ((ObjectNode) statistics).set("health", JSON.readTree(health));
    }
    return statistics;
  }

  /** Connects if there is an engine; returns why not. */
  private String connect() throws IOException {
    DirectoryOwner owner;
    try {
      owner = DirectoryOwner.of(directory);
    } catch (StorageException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (owner.state() == DirectoryOwner.State.NONE) {
      return "No engine has this directory open.";
    }
    if (owner.state() == DirectoryOwner.State.OUT_OF_SIGHT) {
      return "Process "
          + owner.pid()
          + " of another machine or container has this directory open, or has ended; this command"
          + " has to run where that process is.";
    }
    if (rest-- <= 0) {
      try {
        engine = AttachedEngine.of(owner.pid(), directory);
        pid = owner.pid();
        rest = 0;
        return "";
      } catch (IOException e) {
        rest = REST;
        refusal = String.valueOf(e.getMessage());
      }
    }
    return refusal;
  }

  private void disconnect() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }

  @Override
  public List<HistoryEntry> history() {
    return TunerHistory.of(directory);
  }

  @Override
  public void close() {
    disconnect();
  }
}
