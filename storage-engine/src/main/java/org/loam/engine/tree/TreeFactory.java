package org.loam.engine.tree;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.loam.lsm.ComponentChanges;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeServices;
import org.loam.lsm.TreeState;
import org.loam.lsm.WorkObserver;
import org.loam.lsm.dataset.TreeRole;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;

/** Makes and opens trees, each with what it works with in its data directory. */
public final class TreeFactory {
  private final SortedMap<Integer, Home> homes;
  private final Rewriter rewriter;
  private final Installer installer;
  private final WorkObserver observer;
  private final LiveSettings settings;

  /**
   * What a data directory has for its trees.
   *
   * @param services what they work with
   * @param store their tables
   */
  public record Home(TreeServices services, TableStore store) {}

  /**
   * @param homes of trees, by number of their data directory
   * @param rewriter writes the tables of all trees
   * @param observer learns of flushes and merges
   */
  public TreeFactory(
      SortedMap<Integer, Home> homes,
      Rewriter rewriter,
      Installer installer,
      WorkObserver observer,
      LiveSettings settings) {
    this.homes = new TreeMap<>(homes);
    this.rewriter = rewriter;
    this.installer = installer;
    this.observer = observer;
    this.settings = settings;
  }

  /**
   * An empty tree.
   *
   * @param description as the manifest has it
   */
  OpenTree make(int treeId, String name, String description, int directory) {
    String dataset = dataset(name, description);
    Home home = home(directory);
    return open(new TreeState(treeId, name, dataset, home.services(), -1, List.of()), home.store());
  }

  private static String dataset(String name, String description) {
    return description.isEmpty() ? name : TreeRole.decode(name, description).dataset();
  }

  private OpenTree open(TreeState state, TableStore store) {
    return new OpenTree(
        new LsmTree(state),
        new ComponentChanges(
            state, store, settings.behaviour(null), rewriter, installer, observer));
  }

  /** A tree that the manifest knows, on its components. */
  public OpenTree open(TreeRecord record) {
    List<Place> places = new ArrayList<>();
    Home home = home(record.directory());
    try {
      for (ComponentRecord component : record.components()) {
        LiveTable table = home.store().open(component.meta());
        places.add(new Place(component.level(), component.group(), table));
      }
      return open(
          new TreeState(
              record.treeId(),
              record.name(),
              dataset(record.name(), record.description()),
              home.services(),
              record.durableLsn(),
              places),
          home.store());
    } catch (Throwable t) {
      places.forEach(place -> home.store().close(place.table()));
      throw t;
    }
  }

  private Home home(int directory) {
    Home found = homes.get(directory);
    if (found == null) {
      throw new AssertionError("no data directory " + directory);
    }
    return found;
  }

  /** Where the tables are that changes add to their trees. */
  public List<Path> files(List<Change> changes, TreeCatalog trees) {
    List<Path> files = new ArrayList<>();
    for (Change change : changes) {
      LsmTree tree = trees.byId(change.treeId());
      if (change instanceof ReplaceComponents r && tree != null) {
        TableStore store = home(tree.directory()).store();
        r.added().forEach(added -> files.add(store.path(added.meta().fileId())));
      }
    }
    return files;
  }

  /** Deletes the files that the manifest does not name; returns how many. */
  public int deleteOrphans(Manifest manifest) {
    int deleted = 0;
    for (Home each : homes.values()) {
      int directory = each.store().number();
      deleted += each.store().deleteOrphans(manifest.read(state -> state.tableFiles(directory)));
    }
    return deleted;
  }
}
