package org.loam.asterix.runtime;

import org.apache.asterix.hyracks.bootstrap.NCApplication;
import org.jspecify.annotations.Nullable;
import org.loam.asterix.index.LoamIndex;

/**
 * What Loam needs to know of AsterixDB. Loam overrides methods of AsterixDB's, and one of its
 * private fields is read, so that another version could do something wrong instead of failing.
 */
final class KnownHost {
  private static final String VERSION = "0.9.8";

  private KnownHost() {}

  /**
   * Looks at the AsterixDB that this process has on its class path.
   *
   * @throws StartException naming what is different
   */
  static void require() {
    requireVersion(NCApplication.class.getPackage().getImplementationVersion());
    StartException.unless(
        () -> {
          LoamIndex.requireHost();
          return true;
        });
  }

  /**
   * @param version as the jar of AsterixDB has it; null if it has none, as that of a build may
   */
  static void requireVersion(@Nullable String version) {
    if (version != null && !version.equals(VERSION)) {
      throw new StartException(
          "this is AsterixDB "
              + version
              + ", and this Loam works with AsterixDB "
              + VERSION
              + " only; use Loam with that version, or start the node without Loam");
    }
  }
}
