package org.loam.scheduler.work;

import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;

/** When the limit of background I/O lets an operation go on. */
class BandwidthScriptTest {
  private final HandClock clock = new HandClock();
  private RateLimiter limiter = new RateLimiter(clock.env(), 0);

  @TestFactory
  Stream<DynamicTest> bandwidth() {
    return Script.tests("bandwidth", () -> new BandwidthScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "limiter" -> limiter(command);
      case "rate" -> rate(command.number("bytes", 0));
      case "acquire" -> acquire(command);
      case "give-back" -> giveBack(command);
      case "pause" -> pause(command);
      case "quantum" -> limiter.quantumBytes(command.number("max", 1 << 20)) + " bytes";
      case "use" -> use();
      default -> throw command.unknown();
    };
  }

  /** A new limiter, with a whole burst to give. */
  private String limiter(Script.Command command) {
    limiter = new RateLimiter(clock.env(), command.number("bytes", 0));
    return limiter.bytesPerSecond() + " bytes/s";
  }

  private String rate(int bytesPerSecond) {
    try {
      limiter.setBytesPerSecond(bytesPerSecond);
      return limiter.bytesPerSecond() + " bytes/s";
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Lines below are changes of the rate while the operation waits, and after what time. */
  private String acquire(Script.Command command) {
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      clock.after(
          Units.parseNanos(words[0]), () -> limiter.setBytesPerSecond(Long.parseLong(words[2])));
    }
    RateLimiter.Claim claim = limiter.newClaim(ioClass(command));
    StringJoiner out = new StringJoiner("\n");
    for (int i = 0; i < command.number("times", 1); i++) {
      long start = clock.nanoTime();
      claim.acquire(command.number("bytes", 0));
      long waited = clock.nanoTime() - start;
      out.add(waited == 0 ? "at once" : "after " + Units.formatNanos(waited));
    }
    return out.toString();
  }

  private String giveBack(Script.Command command) {
    limiter.newClaim(ioClass(command)).giveBack(command.number("bytes", 0));
    return use();
  }

  private static IoClass ioClass(Script.Command command) {
    return IoClass.valueOf(command.option("class", "MERGE"));
  }

  private String pause(Script.Command command) {
    clock.pause(Units.parseNanos(command.options().get(0)));
    return command.options().get(0);
  }

  private String use() {
    StringJoiner out = new StringJoiner("\n");
    for (IoClass ioClass : IoClass.values()) {
      RateLimiter.Use use = limiter.use(ioClass);
      if (use.grantedBytes() != 0 || use.waitedNanos() != 0) {
        out.add(
            ioClass
                + (": " + use.grantedBytes() + " bytes, waited ")
                + Units.formatNanos(use.waitedNanos()));
      }
    }
    return out.toString();
  }
}
