package org.loam.workbench.asterixdb.migrate;

import java.util.Locale;

/**
 * What became of a dataset, whose records are in the new cluster now.
 *
 * @param bytes of the records as texts; 0 if they were not read
 * @param dropped whether the old dataset was dropped by this run
 */
record Moved(String dataset, Way way, long records, long bytes, boolean dropped) {
  /** How it came there. */
  enum Way {
    /** It was copied, and found the same. */
    COPIED,
    /** An earlier run has copied it; it was found the same. */
    WAS_THERE,
    /** The old cluster does not have it any more: there is nothing to compare it with. */
    MOVED_BEFORE
  }

  /** One line for people. */
  String text() {
    String number = String.format(Locale.ROOT, "%s: %,d records", dataset, records);
    String size =
        String.format(Locale.ROOT, ", %,d bytes as text, the same in both clusters", bytes);
    return switch (way) {
      case COPIED -> number + size + end();
      case WAS_THERE -> number + size + ", as an earlier run has copied them" + end();
      case MOVED_BEFORE ->
          number
              + " in the new cluster, none in the old one: it was moved before, and this is the"
              + " only copy";
    };
  }

  private String end() {
    return dropped ? "; dropped from the old one" : "";
  }
}
