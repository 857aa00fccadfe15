package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.memory.MemoryComponent;

/** Makes changes of components durable; implemented by the engine, and by its recovery. */
public interface ComponentInstaller {
  /**
   * Makes a change durable in one manifest edit, and lets the log be truncated by what was flushed.
   *
   * @param change the change
   * @param flushed the memory component whose content is in the added tables, null for a merge
   * @throws org.loam.common.error.FencedException if nobody knows whether it is durable
   * @throws org.loam.common.error.StorageException if it is not; nothing has changed
   */
  void install(ReplaceComponents change, @Nullable MemoryComponent flushed);
}
