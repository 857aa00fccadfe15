package org.loam.engine;

import java.nio.file.Path;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;

/** What an engine is opened with. */
record Opening(
    StorageEnv env, Path directory, EngineConfig config, MemoryLayout layout, Events events) {}
