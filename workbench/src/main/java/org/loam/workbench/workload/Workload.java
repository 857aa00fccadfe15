package org.loam.workbench.workload;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What clients do in one measured phase. The mixes A to F are those of Cooper et al., "Benchmarking
 * cloud serving systems with YCSB" (SoCC 2010), with whole-record updates.
 *
 * <p>The order of the constants is the order in which they are measured: what only reads comes
 * before what changes the shape of the tree.
 */
public enum Workload implements Named {
  LOAD("load", "every record once, in random key order", Choice.NONE, 0, Operation.INSERT),
  READ("read-uniform", "point reads, all records alike", Choice.UNIFORM, 100, Operation.NONE),
  YCSB_C("ycsb-c", "100 % reads, zipfian", Choice.ZIPFIAN, 100, Operation.NONE),
  ABSENT(
      "read-absent", "point reads of keys that do not exist", Choice.ABSENT, 100, Operation.NONE),
  SCAN("scan-100", "scans of 100 records", Choice.UNIFORM, 0, Operation.SCAN),
  YCSB_B("ycsb-b", "95 % reads, 5 % updates, zipfian", Choice.ZIPFIAN, 95, Operation.UPDATE),
  YCSB_A("ycsb-a", "50 % reads, 50 % updates, zipfian", Choice.ZIPFIAN, 50, Operation.UPDATE),
  WRITES_10("writes-10", "90 % reads, 10 % updates, zipfian", Choice.ZIPFIAN, 90, Operation.UPDATE),
  WRITES_30("writes-30", "70 % reads, 30 % updates, zipfian", Choice.ZIPFIAN, 70, Operation.UPDATE),
  YCSB_F(
      "ycsb-f",
      "50 % reads, 50 % read-modify-writes, zipfian",
      Choice.ZIPFIAN,
      50,
      Operation.READ_MODIFY_WRITE),
  YCSB_D("ycsb-d", "95 % reads of the latest, 5 % inserts", Choice.LATEST, 95, Operation.INSERT),
  YCSB_E(
      "ycsb-e",
      "95 % scans of 1 to 100 records, zipfian start, 5 % inserts",
      Choice.ZIPFIAN,
      0,
      Operation.SCAN_OR_INSERT),
  OVERWRITE("overwrite", "updates only, all records alike", Choice.UNIFORM, 0, Operation.UPDATE),
  WRITE_ONLY("write-only", "updates only, zipfian", Choice.ZIPFIAN, 0, Operation.UPDATE),
  SCAN_HEAVY(
      "scan-heavy",
      "95 % scans of 100 records, 5 % updates, zipfian",
      Choice.ZIPFIAN,
      0,
      Operation.SCAN_OR_UPDATE),
  SYNC("sync", "8 threads, every update forced to disk", Choice.UNIFORM, 0, Operation.UPDATE);

  /** Which record an operation goes to. */
  public enum Choice {
    NONE,
    UNIFORM,
    ZIPFIAN,
    LATEST,
    ABSENT
  }

  /** What a client does when it does not read. */
  public enum Operation {
    NONE,
    INSERT,
    UPDATE,
    READ_MODIFY_WRITE,
    SCAN,
    SCAN_OR_INSERT,
    SCAN_OR_UPDATE
  }

  /** Clients of {@link #SYNC}: enough that a shared force has something to share. */
  public static final int SYNC_THREADS = 8;

  /** Of {@link #YCSB_E} and {@link #SCAN_HEAVY}, the operations that write. */
  public static final int WRITE_PERCENT = 5;

  /** The longest scan, and the length of those of {@link #SCAN}. */
  public static final int MAX_SCAN_RECORDS = 100;

  /** Those of {@code bench kv}; the others are mixes of MemoryWalls. */
  public static final Set<Workload> USUAL =
      Collections.unmodifiableSet(
          EnumSet.complementOf(EnumSet.of(WRITES_10, WRITES_30, WRITE_ONLY, SCAN_HEAVY)));

  private final String id;
  private final String description;
  private final Choice choice;
  private final int readPercent;
  private final Operation other;

  Workload(String id, String description, Choice choice, int readPercent, Operation other) {
    this.id = id;
    this.description = description;
    this.choice = choice;
    this.readPercent = readPercent;
    this.other = other;
  }

  /** The name on the command line and in reports. */
  @Override
  public String id() {
    return id;
  }

  public String description() {
    return description;
  }

  public Choice choice() {
    return choice;
  }

  /** Of 100 operations, how many are point reads. */
  public int readPercent() {
    return readPercent;
  }

  public Operation other() {
    return other;
  }

  /** Of 100 operations, how many write. */
  public int writePercent() {
    int ofOthers =
        switch (other) {
          case NONE, SCAN -> 0;
          case INSERT, UPDATE, READ_MODIFY_WRITE -> 100;
          case SCAN_OR_INSERT, SCAN_OR_UPDATE -> WRITE_PERCENT;
        };
    return (100 - readPercent) * ofOthers / 100;
  }

  public boolean writes() {
    return other != Operation.NONE && other != Operation.SCAN;
  }

  /**
   * The workload of this name.
   *
   * @throws IllegalArgumentException with all names, if there is none
   */
  public static Workload of(String id) {
    return Named.find("workload", id, values());
  }
}
