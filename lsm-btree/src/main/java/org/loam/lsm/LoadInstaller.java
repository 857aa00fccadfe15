package org.loam.lsm;

import java.util.function.LongConsumer;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;

/** Makes a load durable, and lets it show; implemented by the engine. */
public interface LoadInstaller {
  /**
   * Makes a change durable in one manifest edit, then shows it under the commit latch.
   *
   * @param show takes the LSN from which on readers see it: above that of every write so far, and
   *     of every reader
   * @throws org.loam.common.error.FencedException if it is not known whether it is durable
   * @throws org.loam.common.error.StorageException if it is not durable; nothing has changed
   */
  void install(ReplaceComponents change, LongConsumer show);
}
