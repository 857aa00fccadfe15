package org.loam.engine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;

/**
 * What an engine is opened with.
 *
 * @param hostLog null if the engine has its own log
 * @param directories additional data directories, as they were given
 */
record Opening(
    StorageEnv env,
    Path directory,
    EngineConfig config,
    MemoryLayout layout,
    Events events,
    @Nullable HostLog hostLog,
    List<Path> directories) {}
