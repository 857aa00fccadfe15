package org.loam.asterix.runtime;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hyracks.api.config.IConfigManager;
import org.apache.hyracks.api.config.IConfigManager.ConfiguratorMetric;
import org.apache.hyracks.control.common.config.ConfigUtils;
import org.apache.hyracks.control.common.controllers.ControllerConfig;
import org.ini4j.Profile;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.NearestName;

/**
 * Makes AsterixDB know Loam's options, and refuses others and values that it would let pass. This
 * is the first that Loam does in a process, so that it begins with a look at AsterixDB itself.
 */
public final class KnownOptions {
  private static final String PREFIX = "loam.";
  private static final String NODES = "nc";

  private KnownOptions() {}

  /**
   * Before a node of either kind reads its configuration.
   *
   * @throws StartException if Loam does not know this AsterixDB
   */
  public static void register(IConfigManager config) {
    StartException.aloud(KnownHost::require);
    config.register(LoamOption.values());
    // Before AsterixDB reads the file, which would not say what may have been meant.
    config.addConfigurator(
        ConfiguratorMetric.PARSE_INI.metric() - 1,
        () ->
            StartException.aloud(
                () ->
                    requireKnown(
                        config.getAppConfig().getString(ControllerConfig.Option.CONFIG_FILE))));
  }

  /**
   * Looks through a configuration file.
   *
   * @param file null if there is none
   * @throws StartException naming an option that is not Loam's, and the nearest that is, or one
   *     with a value that is none, or one in a section that is not of nodes
   */
  static void requireKnown(@Nullable String file) throws IOException {
    if (file == null) {
      return;
    }
    List<String> known = Arrays.stream(LoamOption.values()).map(LoamOption::ini).toList();
    for (Profile.Section section : ConfigUtils.loadINIFile(file).values()) {
      for (String name : section.keySet()) {
        String option = "[" + section.getName() + "] " + name;
        if (name.startsWith(PREFIX) && !known.contains(name)) {
          throw new StartException(option + ": no such option" + advice(name, known));
        }
        // AsterixDB would call it unknown, and only in its log.
        if (name.startsWith(PREFIX) && !isOfNodes(section.getName())) {
          throw new StartException(
              option + ": an option of nodes; move it to [" + NODES + "], or to [nc/NAME] of one");
        }
        // AsterixDB would take anything but true for false.
        if (name.equals(LoamOption.LOAM_METADATA.ini())
            && !section.get(name).matches("(?i)true|false")) {
          throw new StartException(option + ": " + section.get(name) + ", must be true or false");
        }
      }
    }
  }

  private static boolean isOfNodes(String section) {
    return section.equals(NODES) || section.startsWith(NODES + "/");
  }

  private static String advice(String unknown, List<String> known) {
    return NearestName.of(unknown, known)
        .map(near -> "; did you mean " + near + "?")
        .orElse(
            "; there are " + String.join(", ", known) + "; other settings go into loam.settings");
  }
}
