package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/**
 * A record that proves which version it is, and is elsewhere in the secondary indexes in each.
 *
 * @param id the primary key
 * @param version from 1 on
 */
record CrashRecord(long id, int version) {
  /** Values of the field {@code part}. */
  static final int PARTS = 40;

  /** Leading digits of the field {@code name}. */
  static final int INITIALS = 16;

  private static final int LEAST_PAYLOAD = 100;
  private static final int PAYLOADS = 900;

  /** The dataset. */
  static final String DATASET = "crashes.records";

  /** What makes it. */
  static final List<String> SCHEMA =
      List.of(
          "CREATE DATAVERSE crashes;",
          "CREATE TYPE crashes.RecordType AS"
              + " {id: bigint, version: bigint, part: bigint, name: string};",
          "CREATE DATASET " + DATASET + "(RecordType) PRIMARY KEY id;",
          "CREATE PRIMARY INDEX keys ON " + DATASET + ";",
          "CREATE INDEX byPart ON " + DATASET + "(part);",
          "CREATE INDEX byName ON " + DATASET + "(name);");

  private long mixed() {
    long mixed = (id * 1_000_003 + version) * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 32;
  }

  int part() {
    return (int) Long.remainderUnsigned(mixed(), PARTS);
  }

  String name() {
    return String.format(Locale.ROOT, "%016x", mixed() * 31);
  }

  private String payload() {
    return "x".repeat(LEAST_PAYLOAD + (int) Long.remainderUnsigned(mixed() >>> 8, PAYLOADS));
  }

  /** As an expression of SQL++. */
  String text() {
    return String.format(
        Locale.ROOT,
        "{\"id\":%d,\"version\":%d,\"part\":%d,\"name\":\"%s\",\"payload\":\"%s\"}",
        id,
        version,
        part(),
        name(),
        payload());
  }

  /** Whether a row has it, whole. */
  boolean isIn(JsonNode row) {
    return row.path("id").longValue() == id
        && row.path("version").intValue() == version
        && row.path("part").intValue() == part()
        && row.path("name").asText().equals(name())
        && row.path("payload").asText().equals(payload());
  }
}
