package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.loam.common.config.TunerMode;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;

/**
 * What is measured.
 *
 * @param peer the engine
 * @param directory for its databases, empty
 * @param settings of the engine that are not its defaults, by name
 */
public record Subject(
    @JsonProperty("peer") Peer peer,
    @JsonProperty("directory") String directory,
    @JsonProperty("settings") Map<String, String> settings) {

  /**
   * The same with memory that stays: to what only fills its database no tuner should adapt, since
   * the next opening begins with the split that the tuner left.
   */
  Subject untuned() {
    if (peer != Peer.LOAM) {
      return this;
    }
    Map<String, String> staying = new LinkedHashMap<>(settings);
    staying.put("tuner.mode", TunerMode.FROZEN.name());
    return new Subject(peer, directory, staying);
  }

  /** Of a store with one tree and no index, in a directory of its own. */
  public StoreSettings store(long memoryBytes, Durability durability, int maxValueBytes) {
    return store(memoryBytes, durability, maxValueBytes, 1, 0);
  }

  /** Of a store in a directory of its own; see {@link StoreSettings}. */
  public StoreSettings store(
      long memoryBytes, Durability durability, int maxValueBytes, int trees, int indexes) {
    Path own = Path.of(directory, "database");
    return new StoreSettings(own, memoryBytes, durability, maxValueBytes, trees, indexes, settings);
  }
}
