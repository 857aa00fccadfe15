package org.loam.scheduler.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.TreeShape;

/** Whose turn it is among the open merges, for shares given by hand. */
class TurnsScriptTest {
  /** Nothing but bytes to be read. */
  private record Idle(String name, IoClass ioClass, long remainingInputBytes)
      implements BackgroundOperation {
    @Override
    public long transferredBytes() {
      return 0;
    }

    @Override
    public StepResult step(long quantumBytes) {
      throw new AssertionError("not to be stepped");
    }

    @Override
    public void force() {}

    @Override
    public void abort() {}
  }

  private static final MergeTree NO_TREE =
      new MergeTree() {
        @Override
        public TreeShape shape() {
          throw new AssertionError("not to be looked at");
        }

        @Override
        public MergePolicy mergePolicy() {
          throw new AssertionError("not to be looked at");
        }

        @Override
        public ComponentConstraint constraint() {
          throw new AssertionError("not to be looked at");
        }

        @Override
        public @Nullable BackgroundOperation open(MergePlan plan) {
          throw new AssertionError("not to be looked at");
        }
      };

  private final RateLimiter limiter = new RateLimiter(new HandClock().env(), 0);
  private final OpenMerges open = new OpenMerges(new FairScheduler());
  private final TreeMap<String, OpenMerges.Slot> slots = new TreeMap<>();

  @TestFactory
  Stream<DynamicTest> turns() {
    return Script.tests("turns", () -> new TurnsScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "open" -> open(command);
      case "done" -> done(command);
      case "shares" -> shares(command);
      case "urgent" -> urgent(command);
      case "turns" -> turns(command);
      case "take" -> take();
      case "give" -> give(command);
      default -> throw command.unknown();
    };
  }

  private String open(Script.Command command) {
    for (String name : command.options()) {
      byte[] key = name.getBytes(UTF_8);
      List<Component> input = List.of(new Component(1, 1, new KeyRange(key, key)));
      MergePlan plan = MergePlan.of(slots.size(), input, Level.L0, Level.LAST, 1);
      IoClass ioClass = IoClass.L0;
      MergePlanner.Candidate candidate =
          new MergePlanner.Candidate(NO_TREE, plan, ioClass, false, 0);
      OpenMerges.Slot slot =
          new OpenMerges.Slot(candidate, new Idle(name, ioClass, 100), limiter.newClaim(ioClass));
      slots.put(name, slot);
      open.add(slot);
    }
    return names();
  }

  private String done(Script.Command command) {
    command.options().forEach(name -> open.remove(slots.remove(name)));
    return names();
  }

  private String names() {
    return "open: " + String.join(" ", slots.keySet());
  }

  /** Shares by name; a merge without one pauses. */
  private String shares(Script.Command command) {
    if (command.options().equals(List.of("equal"))) {
      open.setScheduler(new FairScheduler());
      return "equal";
    }
    List<String> names = List.copyOf(slots.keySet());
    open.setScheduler(
        (merges, shares) -> {
          for (int i = 0; i < merges.size(); i++) {
            shares[i] = Double.parseDouble(command.option(names.get(i), "0"));
          }
        });
    return String.join(" ", command.options());
  }

  private String urgent(Script.Command command) {
    List<MergePlanner.Urgency> urgencies =
        command.options().stream()
            .map(name -> new MergePlanner.Urgency(slots.get(name).plan(), IoClass.FLUSH, 0))
            .toList();
    open.setUrgencies(urgencies);
    StringJoiner out = new StringJoiner(", ");
    slots.forEach((name, slot) -> out.add(name + " " + slot.claim().ioClass()));
    return out.toString();
  }

  /** Turns one after the other, of as many bytes as the option says for each name. */
  private String turns(Script.Command command) {
    StringJoiner out = new StringJoiner(" ");
    for (int i = 0; i < command.number("count", 1); i++) {
      OpenMerges.Slot slot = open.take(command.options().contains("urgent"));
      if (slot == null) {
        return out.add("none").toString();
      }
      String name = name(slot);
      open.giveBack(slot, command.number(name, 1));
      out.add(name);
    }
    return out.toString();
  }

  private String take() {
    OpenMerges.Slot slot = open.take(false);
    return slot == null ? "none" : name(slot);
  }

  private String give(Script.Command command) {
    String name = command.options().get(0);
    open.giveBack(slots.get(name), command.number("bytes", 1));
    return name;
  }

  private static String name(OpenMerges.Slot slot) {
    return ((Idle) slot.operation()).name();
  }
}
