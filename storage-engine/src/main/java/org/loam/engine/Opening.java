package org.loam.engine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.DirectoryLock;

/**
 * What an engine is opened with.
 *
 * @param env with files that look after the lock
 * @param lock of the directory
 * @param options as they were given
 */
record Opening(
    StorageEnv env,
    Path directory,
    DirectoryLock lock,
    EngineConfig config,
    MemoryLayout layout,
    Events events,
    OpenOptions options) {
  /** Null if the engine has its own log. */
  @Nullable HostLog hostLog() {
    return options.hostLog();
  }

  /** Additional data directories, as they were given. */
  List<Path> directories() {
    return options.directories();
  }
}
