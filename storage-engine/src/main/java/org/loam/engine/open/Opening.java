package org.loam.engine.open;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.engine.host.HostLog;
import org.loam.engine.notify.Events;
import org.loam.engine.report.EventListener;

/**
 * What an engine is opened with.
 *
 * @param env with files that look after the lock
 * @param lock of the directory
 * @param memory divided as the layout says; the engine frees it
 */
public record Opening(
    StorageEnv env,
    Path directory,
    DirectoryLock lock,
    EngineConfig config,
    MemoryLayout layout,
    EngineMemory memory,
    Events events,
    Given given) {
  /**
   * What the embedding program gives.
   *
   * @param listener is told of events; null for none
   * @param hostLog null if the engine has its own log
   * @param directories additional data directories
   */
  public record Given(
      @Nullable EventListener listener, @Nullable HostLog hostLog, List<Path> directories) {}

  /** Null if the engine has its own log. */
  @Nullable HostLog hostLog() {
    return given.hostLog();
  }

  /** Additional data directories, as they were given. */
  List<Path> directories() {
    return given.directories();
  }
}
