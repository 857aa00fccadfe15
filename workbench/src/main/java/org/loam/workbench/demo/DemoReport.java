package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.loam.workbench.console.Circumstances;

/**
 * What the demo prints at its end. Its parts are groups of fields for the code; the document is
 * flat.
 *
 * @param given what the demo was given
 * @param writes of the first ingest, updates and deletes
 * @param engine what the engine did meanwhile
 * @param reads that were compared
 * @param showcase what the indexes know
 * @param crashes what the kills did
 * @param verify of files and indexes; must have no findings
 * @param circumstances of the whole demo
 */
record DemoReport(
    @JsonUnwrapped Given given,
    @JsonUnwrapped Writes writes,
    @JsonProperty("engine") EngineFigures engine,
    @JsonProperty("reads") Answers.Counts reads,
    @JsonProperty("showcase") Showcase showcase,
    @JsonUnwrapped Crashes crashes,
    @JsonProperty("verify") Verified verify,
    @JsonUnwrapped Circumstances circumstances) {

  /**
   * What the demo was given.
   *
   * @param source of the records
   * @param shape of the records
   * @param records ingested first
   * @param recordBytes their JSON, in all
   * @param memoryBytes the engine's budget
   */
  record Given(
      @JsonProperty("source") String source,
      @JsonProperty("dataset") Shape shape,
      @JsonProperty("records") long records,
      @JsonProperty("recordBytes") long recordBytes,
      @JsonProperty("memoryBytes") long memoryBytes) {}

  /**
   * What was written before the first kill.
   *
   * @param indexEntries of the first ingest, in four indexes
   * @param indexEntriesPerSecond of the first ingest
   * @param updates that replaced a record
   * @param movedIndexEntries that updates added and removed
   * @param deletes of records
   * @param writesPerSecond records of the first ingest and the updates
   */
  record Writes(
      @JsonProperty("indexEntries") long indexEntries,
      @JsonProperty("indexEntriesPerSecond") long indexEntriesPerSecond,
      @JsonProperty("updates") long updates,
      @JsonProperty("movedIndexEntries") long movedIndexEntries,
      @JsonProperty("deletes") long deletes,
      @JsonProperty("writesPerSecond") long writesPerSecond) {
    static Writes of(Written inserted, Written updated, long deletes) {
      Written all = inserted.plus(updated);
      return new Writes(
          inserted.indexEntries(),
          Math.round(inserted.indexEntries() / inserted.seconds()),
          updated.records(),
          updated.indexEntries(),
          deletes,
          Math.round(all.records() / all.seconds()));
    }
  }

  /**
   * What passes over all records wrote.
   *
   * @param indexEntries added and removed
   */
  record Written(long records, long indexEntries, double seconds) {
    static final Written NOTHING = new Written(0, 0, 0);

    Written plus(Written other) {
      return new Written(
          records + other.records, indexEntries + other.indexEntries, seconds + other.seconds);
    }
  }

  /**
   * What the kills did.
   *
   * @param kills of the child process
   * @param acknowledged records that the children were told are safe
   * @param lost of these, those that were not there afterwards; must be 0
   * @param tornBatches batches found in part; must be 0
   * @param wrongRecords records with a value that was never written; must be 0
   * @param recovery what the last reopening found
   */
  record Crashes(
      @JsonProperty("kills") int kills,
      @JsonProperty("acknowledged") long acknowledged,
      @JsonProperty("lost") long lost,
      @JsonProperty("tornBatches") long tornBatches,
      @JsonProperty("wrongRecords") long wrongRecords,
      @JsonProperty("recovery") String recovery) {
    static Crashes of(int kills, CrashVerdict all, String recovery) {
      return new Crashes(
          kills, all.acknowledged(), all.lost(), all.tornBatches(), all.wrong(), recovery);
    }
  }

  boolean isClean() {
    return crashes.lost == 0
        && crashes.tornBatches == 0
        && crashes.wrongRecords == 0
        && reads.wrong() == 0
        && showcase.move().isRight()
        && verify.findings() == 0;
  }
}
