package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.Machine;

/**
 * What the demo prints at its end.
 *
 * @param source of the records
 * @param shape of the records
 * @param records ingested first
 * @param recordBytes their JSON, in all
 * @param memoryBytes the engine's budget
 * @param indexEntries of the first ingest, in four indexes
 * @param indexEntriesPerSecond of the first ingest
 * @param updates that replaced a record
 * @param movedIndexEntries that updates added and removed
 * @param deletes of records
 * @param writesPerSecond records of the first ingest and the updates
 * @param engine what the engine did meanwhile
 * @param reads that were compared
 * @param showcase what the indexes know
 * @param kills of the child process
 * @param acknowledged records that the children were told are safe
 * @param lost of these, those that were not there afterwards; must be 0
 * @param tornBatches batches found in part; must be 0
 * @param wrongRecords records with a value nobody wrote; must be 0
 * @param recovery what the last reopening found
 * @param verify of files and indexes; must have no findings
 * @param seconds the whole demo
 * @param directory of the database, if it was kept
 * @param machine that it ran on
 */
record DemoReport(
    @JsonProperty("source") String source,
    @JsonProperty("dataset") Shape shape,
    @JsonProperty("records") long records,
    @JsonProperty("recordBytes") long recordBytes,
    @JsonProperty("memoryBytes") long memoryBytes,
    @JsonProperty("indexEntries") long indexEntries,
    @JsonProperty("indexEntriesPerSecond") long indexEntriesPerSecond,
    @JsonProperty("updates") long updates,
    @JsonProperty("movedIndexEntries") long movedIndexEntries,
    @JsonProperty("deletes") long deletes,
    @JsonProperty("writesPerSecond") long writesPerSecond,
    @JsonProperty("engine") EngineFigures engine,
    @JsonProperty("reads") Answers.Counts reads,
    @JsonProperty("showcase") Showcase showcase,
    @JsonProperty("kills") int kills,
    @JsonProperty("acknowledged") long acknowledged,
    @JsonProperty("lost") long lost,
    @JsonProperty("tornBatches") long tornBatches,
    @JsonProperty("wrongRecords") long wrongRecords,
    @JsonProperty("recovery") String recovery,
    @JsonProperty("verify") Verified verify,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("directory") @Nullable String directory,
    @JsonProperty("machine") Machine machine) {

  boolean isClean() {
    return lost == 0
        && tornBatches == 0
        && wrongRecords == 0
        && reads.wrong() == 0
        && showcase.move().isRight()
        && verify.findings() == 0;
  }
}
