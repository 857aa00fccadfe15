package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;

/** The tables that a change adds to a tree, as the manifest has them and as the version does. */
final class AddedTables {
  private final List<ComponentRecord> records = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  void add(int level, long group, LiveTable table) {
    records.add(new ComponentRecord(level, group, table.table().meta()));
    places.add(new Place(level, group, table));
  }

  /** Their entries in the manifest. */
  List<ComponentRecord> records() {
    return records;
  }

  /** Where they are in the version. */
  List<Place> places() {
    return places;
  }
}
