package org.loam.asterix.runtime;

import org.apache.asterix.app.io.PersistedResourceRegistry;

/** The kinds of things that a node describes in files: AsterixDB's, and indexes in Loam. */
public final class LoamResourceRegistry extends PersistedResourceRegistry {
  @Override
  protected void registerClasses() {
    super.registerClasses();
    registeredClasses.put(LoamIndexResource.KIND, LoamIndexResource.class);
  }
}
