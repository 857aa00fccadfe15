package org.loam.workbench.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.engine.DatasetDescription;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonPath;

/**
 * What a dataset is, in the words of the options that would make it.
 *
 * @param name of the dataset
 * @param key its paths; none if another program made it, of records that are not JSON
 * @param indexes by name, as {@code latest=customer,date:desc}; with the rule of their program in
 *     place of the paths if that is another one
 * @param rule how that other program understands the records, in its own words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DatasetShape(
    @JsonProperty("name") String name,
    @JsonProperty("key") List<String> key,
    @JsonProperty("indexes") List<String> indexes,
    @JsonProperty("rule") @Nullable String rule) {

  /** All datasets of a database, by name. */
  static List<DatasetShape> of(Engine engine) {
    List<DatasetShape> shapes = new ArrayList<>();
    for (DatasetDescription known : engine.datasets().list()) {
      shapes.add(of(engine, known));
    }
    return shapes;
  }

  private static DatasetShape of(Engine engine, DatasetDescription known) {
    try {
      JsonDataset dataset = JsonDataset.open(engine, known.name());
      return new DatasetShape(
          known.name(),
          dataset.keyPaths().stream().map(JsonPath::toString).toList(),
          dataset.indexes().stream().map(IndexText::of).toList(),
          null);
    } catch (IllegalArgumentException e) {
      // Its rules say nothing here.
      return new DatasetShape(
          known.name(),
          List.of(),
          known.indexes().stream().map(index -> index.name() + "=" + index.rule()).toList(),
          known.rule());
    }
  }

  /** What it is, without its indexes. */
  String keyText() {
    return rule == null ? "key " + String.join(",", key) : "not of JSON records, but " + rule;
  }
}
