package org.loam.workbench.database;

import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command on one dataset. */
final class DatasetOptions {
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--dataset",
      required = true,
      paramLabel = "<name>",
      description = "Name of the dataset.")
  private String name = "";

  DatabaseOptions database() {
    return database;
  }

  String name() {
    return name;
  }

  /**
   * Opens the dataset.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is
   */
  JsonDataset open(Engine engine) {
    return JsonDataset.open(engine, name);
  }
}
