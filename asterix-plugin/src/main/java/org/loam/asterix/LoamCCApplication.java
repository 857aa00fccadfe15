package org.loam.asterix;

import org.apache.asterix.hyracks.bootstrap.CCApplication;
import org.apache.hyracks.api.config.IConfigManager;
import org.loam.asterix.runtime.LoamOption;

/**
 * AsterixDB's cluster controller, which also reads what the configuration says to the nodes, and
 * would not know Loam's options.
 */
public final class LoamCCApplication extends CCApplication {
  @Override
  public void registerConfig(IConfigManager config) {
    super.registerConfig(config);
    config.register(LoamOption.values());
  }
}
