package org.loam.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;

/** What an engine is opened with; a host's log is null if the engine has its own. */
record Opening(
    StorageEnv env,
    Path directory,
    EngineConfig config,
    MemoryLayout layout,
    Events events,
    @Nullable HostLog hostLog) {}
