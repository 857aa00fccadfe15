package org.loam.workbench.asterixdb;

import org.loam.workbench.console.CommandException;

/** Ports for clusters of tests. */
final class FreePorts {
  private static final long HEAP_BYTES = 256L << 20;

  private FreePorts() {}

  /** Settings whose ports nobody has; each process of tests begins elsewhere. */
  static ClusterSettings settings(Storage storage) {
    int port = 20_000 + (int) (ProcessHandle.current().pid() % 1000) * 10;
    ClusterSettings settings = new ClusterSettings(port, HEAP_BYTES, storage);
    while (!areFree(settings)) {
      settings = new ClusterSettings(settings.port() + 10, HEAP_BYTES, storage);
    }
    return settings;
  }

  private static boolean areFree(ClusterSettings settings) {
    try {
      Ports.requireFree(settings);
      return true;
    } catch (CommandException e) {
      return false;
    }
  }
}
