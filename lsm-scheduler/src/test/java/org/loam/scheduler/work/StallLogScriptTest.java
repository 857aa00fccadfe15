package org.loam.scheduler.work;

import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** What is on record of waits of writers. */
class StallLogScriptTest {
  private final StallLog log = new StallLog(2);
  private final Map<String, StallLog.Stall> stalls = new HashMap<>();

  @TestFactory
  Stream<DynamicTest> stalls() {
    return Script.tests("stalls", () -> new StallLogScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "waits" -> waits(command);
      case "totals" -> totals(command.number("at", 0));
      case "recent" -> recent();
      default -> throw command.unknown();
    };
  }

  /** Lines such as {@code at 5 a begins L0_STOP of tree 1} and {@code at 8 a ends}. */
  private String waits(Script.Command command) {
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      long at = Long.parseLong(words[1]);
      if (words[3].equals("ends")) {
        stalls.get(words[2]).end(at);
      } else {
        int tree = words.length > 5 ? Integer.parseInt(words[7]) : StallLog.NO_TREE;
        stalls.put(words[2], log.begin(StallCause.valueOf(words[4]), tree, at));
      }
    }
    return totals(command.number("at", 0));
  }

  private String totals(long at) {
    StringJoiner out = new StringJoiner("\n");
    log.snapshot(at)
        .totals()
        .forEach(
            (cause, t) -> {
              if (t.count() > 0) {
                out.add(
                    cause
                        + (": " + t.count() + " in all, " + t.activeCount() + " now, ")
                        + (t.nanos() + " ns, the longest " + t.longestNanos()));
              }
            });
    return out.toString();
  }

  private String recent() {
    StringJoiner out = new StringJoiner("\n");
    for (StallLog.Event event : log.snapshot(0).recent()) {
      String tree = event.treeId() == StallLog.NO_TREE ? "no tree" : "tree " + event.treeId();
      out.add(
          event.cause()
              + (" of " + tree + ", from " + event.startNanos())
              + (" for " + event.durationNanos() + " ns"));
    }
    return out.toString();
  }
}
