package org.loam.engine.commit;

import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** Which writes to a tree are recent. */
@Tag("once")
class RecentWritesScriptTest implements Script.Interpreter {
  private final Map<String, Long> written = new TreeMap<>();
  private final RecentWrites<String> recent =
      new RecentWrites<>(name -> written.getOrDefault(name, 0L));
  private long endLsn;

  @TestFactory
  Stream<DynamicTest> recentWrites() {
    return Script.tests("recent-writes", RecentWritesScriptTest::new);
  }

  @Override
  public String interpret(Script.Command command) {
    switch (command.verb()) {
      case "log" -> endLsn = command.number("end", 0);
      case "create" -> command.options().forEach(name -> written.put(name, 0L));
      case "drop" -> written.keySet().removeAll(command.options());
      case "write" -> command.lines().forEach(line -> write(line, command.number("window", 0)));
      default -> throw command.unknown();
    }
    StringJoiner out = new StringJoiner("\n").setEmptyValue("no tree");
    written.keySet().forEach(name -> out.add(name + ": " + recent.of(name)));
    return out.toString();
  }

  /** A line such as {@code orders 20 x 100 bytes}; the log has nothing else. */
  private void write(String line, long windowBytes) {
    String[] words = line.split(" +", -1);
    long bytes = Long.parseLong(words[3]);
    for (int i = Integer.parseInt(words[1]); i > 0; i--) {
      endLsn += bytes;
      written.merge(words[0], bytes, Long::sum);
      recent.mark(endLsn, windowBytes, written.keySet());
    }
  }
}
