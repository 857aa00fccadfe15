package org.loam.asterix.merge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hyracks.api.io.IJsonSerializable;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.loam.common.config.ConfigException;
import org.loam.engine.MergeOptions;

/**
 * Loam's only merge policy so far, with numbers of a dataset's own. AsterixDB's grammar allows no
 * other names of parameters than those of its own policies; these three mean what they mean there.
 */
public final class PartitionedLevelingFactory extends LoamMergePolicyFactory {
  private static final long serialVersionUID = 1L;

  private static final String SIZE_RATIO = "size-ratio";
  private static final String MIN_MERGE = "min-merge-component-count";
  private static final String STOP = "max-component-count";

  @Override
  public String getName() {
    return "partitioned-leveling";
  }

  @Override
  Map<String, Parameter> parameters() {
    Map<String, Parameter> parameters = new LinkedHashMap<>();
    parameters.put(SIZE_RATIO, new Parameter("2.0 to 100.0, without a fraction", 10));
    parameters.put(MIN_MERGE, new Parameter("1 to 100", 4));
    parameters.put(STOP, new Parameter("2 to 200, above " + MIN_MERGE, 16));
    return parameters;
  }

  @Override
  MergeOptions options(Map<String, Integer> values) {
    try {
      return new MergeOptions(
          values.getOrDefault(SIZE_RATIO, 0),
          values.getOrDefault(MIN_MERGE, 0),
          values.getOrDefault(STOP, 0));
    } catch (ConfigException e) {
      throw refused(
          "has a parameter "
              + String.join("; ", e.problems())
                  .replace("disk.levelRatio", SIZE_RATIO)
                  .replace("l0.minMerge", MIN_MERGE)
                  .replace("l0.stop", STOP)
                  .replace(": ", " that is "));
    }
  }

  /** Called by AsterixDB for descriptions of indexes. */
  public static IJsonSerializable fromJson(IPersistedResourceRegistry registry, JsonNode json) {
    return new PartitionedLevelingFactory();
  }
}
