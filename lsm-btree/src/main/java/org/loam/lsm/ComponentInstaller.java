package org.loam.lsm;

import java.util.List;
import java.util.function.Supplier;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.memory.MemoryComponent;

/** Makes changes of components durable; implemented by the engine, and by its recovery. */
public interface ComponentInstaller {
  /**
   * Makes a merge durable in one manifest edit.
   *
   * @throws org.loam.common.error.FencedException if it is not known whether it is durable
   * @throws org.loam.common.error.StorageException if it is not; nothing has changed
   */
  void install(ReplaceComponents merge);

  /**
   * Makes flushes of different trees durable in one manifest edit, and lets the log be truncated by
   * what was flushed. All or none of them count after a crash.
   *
   * @param flushes give the change of each tree, at least one, when called under the commit latch
   * @param flushed the memory components whose content is in the added tables
   * @throws org.loam.common.error.FencedException if it is not known whether they are durable
   * @throws org.loam.common.error.StorageException if they are not; nothing has changed
   */
  void install(List<Supplier<ReplaceComponents>> flushes, List<MemoryComponent> flushed);
}
