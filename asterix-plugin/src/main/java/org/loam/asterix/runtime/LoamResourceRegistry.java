package org.loam.asterix.runtime;

import org.apache.asterix.app.io.PersistedResourceRegistry;
import org.loam.asterix.merge.MergePolicies;

/**
 * The kinds of things that a node describes in files: AsterixDB's, indexes in Loam, merge policies.
 */
public final class LoamResourceRegistry extends PersistedResourceRegistry {
  @Override
  protected void registerClasses() {
    super.registerClasses();
    registeredClasses.put(LoamIndexResource.KIND, LoamIndexResource.class);
    MergePolicies.ALL.forEach(
        policy -> registeredClasses.put(policy.getClass().getSimpleName(), policy.getClass()));
  }
}
