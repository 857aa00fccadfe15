package org.loam.scheduler.work;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;

/** When the merge workers look at the trees again, if no look finds a merge to open. */
class LookScriptTest {
  private NextLook next = new NextLook(Long.MAX_VALUE, 0);

  @TestFactory
  Stream<DynamicTest> looks() {
    return Script.tests("looks", () -> new LookScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    long now = Units.parseNanos(command.option("at", "0s"));
    long version = command.number("version", 0);
    return switch (command.verb()) {
      case "looks" -> settings(command, now);
      case "look" -> look(command, version, now);
      case "due" -> next.isDue(version, now) ? "now" : later(now);
      default -> throw command.unknown();
    };
  }

  private String settings(Script.Command command, long now) {
    String quiet = command.option("quiet", "never");
    next = new NextLook(quiet.equals("never") ? Long.MAX_VALUE : Units.parseNanos(quiet), now);
    return "quiet: " + quiet;
  }

  private String look(Script.Command command, long version, long now) {
    next.begin();
    String rest = command.option("rest", "");
    if (!rest.isEmpty()) {
      next.at(now + Units.parseNanos(rest));
    }
    boolean quiet = next.isQuiet(command.number("write", 0), now);
    next.foundNothing(version);
    return quiet ? "quiet" : "not quiet";
  }

  private String later(long now) {
    return next.isTimed()
        ? "after a change, or in " + Units.formatNanos(next.leftNanos(now))
        : "after a change";
  }
}
