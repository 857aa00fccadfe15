package org.loam.common.env.real;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.PageCacheUse;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFilesContract;

/** The contract where everything goes through the page cache. */
class BufferedFilesTest extends StorageFilesContract {
  @TempDir Path directory;
  private final RealFiles files = new RealFiles(PageCacheUse.ALL);

  @Override
  protected StorageFiles files() {
    return files;
  }

  @Override
  protected Path directory() {
    return directory;
  }
}
