package org.loam.common.env.real;

import java.security.SecureRandom;
import org.loam.common.config.PageCacheUse;
import org.loam.common.env.StorageEnv;

/** The environment of production: the operating system's files, clock and threads. */
public final class RealEnv {
  private RealEnv() {}

  /** An environment whose files bypass the page cache wherever the file system allows it. */
  public static StorageEnv create() {
    return over(new RealFiles());
  }

  /**
   * An environment of production.
   *
   * @param pageCache what goes through the page cache even where the file system could bypass it
   */
  public static StorageEnv create(PageCacheUse pageCache) {
    return over(new RealFiles(pageCache));
  }

  /** Whether the files of an environment are the operating system's. */
  public static boolean isReal(StorageEnv env) {
    return env.files() instanceof RealFiles;
  }

  /** An environment over given files, to keep a handle on them. */
  public static StorageEnv over(RealFiles files) {
    return new StorageEnv(
        files,
        new RealClock(),
        new RealWaiter(),
        new RealTasks(),
        new SharedRandom(new SecureRandom().nextLong()));
  }
}
