package org.loam.log;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.script.Script;

/**
 * When another segment is tried, and when a waiting writer gets the fault. 100 ns between tries.
 */
class SegmentAttemptsScriptTest implements Script.Interpreter {
  private final SegmentAttempts attempts = new SegmentAttempts(100);
  private long seen;

  @TestFactory
  Stream<DynamicTest> attempts() {
    return Script.tests("attempts", SegmentAttemptsScriptTest::new);
  }

  @Override
  public String interpret(Script.Command command) {
    switch (command.verb()) {
      case "begin" -> attempts.begin();
      case "succeed" -> attempts.end(null, nanos(command));
      case "fail" -> attempts.end(fault(command), nanos(command));
      case "wait" -> seen = attempts.seen();
      case "look" -> {}
      case "retry" -> {
        return retry(nanos(command));
      }
      default -> throw command.unknown();
    }
    return mayBegin(nanos(command));
  }

  private static long nanos(Script.Command command) {
    return Long.parseLong(command.option("at", "0"));
  }

  private String mayBegin(long nowNanos) {
    return attempts.mayBegin(nowNanos) ? "another may begin" : "none begins";
  }

  private static StorageException fault(Script.Command command) {
    return command.options().contains("full")
        ? new DiskFullException("no space", 64, 5)
        : new StorageIoException("no device");
  }

  /** What the writer that began to wait last is told. */
  private String retry(long nowNanos) {
    try {
      attempts.retry(seen, nowNanos);
      return mayBegin(nowNanos);
    } catch (DiskFullException e) {
      return e.getMessage() + ", needs " + e.neededBytes() + ", free " + e.freeBytes();
    } catch (StorageIoException e) {
      return e.getMessage() + (e.getCause() == null ? "" : ", with its cause");
    }
  }
}
