package org.loam.engine.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeServices;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;

/** Makes and opens trees, each with what it works with in its data directory. */
public final class TreeFactory {
  private final SortedMap<Integer, TreeServices> services;
  private final LiveSettings settings;

  /**
   * @param services what trees work with, by number of their data directory
   */
  public TreeFactory(SortedMap<Integer, TreeServices> services, LiveSettings settings) {
    this.services = new TreeMap<>(services);
    this.settings = settings;
  }

  /** An empty tree. */
  LsmTree make(int treeId, String name, int directory) {
    return new LsmTree(
        treeId, name, servicesIn(directory), settings.behaviour(null), -1, List.of());
  }

  /** A tree that the manifest knows, on its components. */
  public LsmTree open(TreeRecord record) {
    List<Place> places = new ArrayList<>();
    TreeServices opened = servicesIn(record.directory());
    try {
      for (ComponentRecord component : record.components()) {
        LiveTable table = opened.store().open(component.meta());
        places.add(new Place(component.level(), component.group(), table));
      }
      return new LsmTree(
          record.treeId(),
          record.name(),
          opened,
          settings.behaviour(null),
          record.durableLsn(),
          places);
    } catch (Throwable t) {
      places.forEach(place -> opened.store().close(place.table()));
      throw t;
    }
  }

  private TreeServices servicesIn(int directory) {
    TreeServices found = services.get(directory);
    if (found == null) {
      throw new AssertionError("no data directory " + directory);
    }
    return found;
  }

  /** Deletes the files that the manifest does not name; returns how many. */
  public int deleteOrphans(Manifest manifest) {
    int deleted = 0;
    for (TreeServices each : services.values()) {
      int directory = each.store().number();
      deleted += each.store().deleteOrphans(manifest.read(state -> state.tableFiles(directory)));
    }
    return deleted;
  }
}
