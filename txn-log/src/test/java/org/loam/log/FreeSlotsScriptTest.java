package org.loam.log;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentLink;
import org.loam.log.recover.SegmentFile;

/** Which files become segments, at which place in the log, and which are deleted. Sizes in KiB. */
class FreeSlotsScriptTest implements Script.Interpreter {
  private static final int KIB = 1 << 10;
  private static final LogConfig CONFIG = new LogConfig(64 * KIB, 256 * KIB, 2, 0);

  private final FreeSlots free = new FreeSlots(CONFIG);
  private final SegmentNumbers numbers = new SegmentNumbers(64 * KIB, 1, 7, 20, 640 * KIB);

  @TestFactory
  Stream<DynamicTest> slots() {
    return Script.tests("slots", FreeSlotsScriptTest::new);
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "add" -> add(command);
      case "unwanted" -> {
        free.addUnwanted(command.options().stream().map(Path::of).toList());
        yield "";
      }
      case "retain" -> {
        free.retain(command.number("files", 0));
        yield "";
      }
      case "prepare" -> prepare();
      case "surplus" -> surplus(command.number("others", 0));
      case "take-unwanted" -> names(free.takeUnwanted());
      default -> throw command.unknown();
    };
  }

  private String add(Script.Command command) {
    int slot = command.number("slot", 0);
    long bytes = (long) KIB * command.number("size", 64);
    SegmentHeader header = SegmentHeader.prepared(1, slot, bytes, new SegmentLink(0, 1, 1), 0);
    Path path = Path.of(SegmentFile.name(slot));
    boolean isFound = command.options().contains("found");
    free.add(path, header, isFound ? new SegmentFile(path, header, header, header) : null);
    return free.isEmpty() ? "none free" : "";
  }

  private String prepare() {
    SegmentPlace place = SegmentPlace.next(free, numbers);
    FreeSlots.Slot reused = place.reused();
    String file =
        reused == null
            ? "new file"
            : reused.path() + (reused.found() == null ? " of this life" : " as found");
    return "slot %d, %s: segment %d at %d"
        .formatted(place.slot(), file, place.link().sequence(), place.link().baseLsn() / KIB);
  }

  private String surplus(int others) {
    return free.hasSurplus(others) ? "delete " + free.takeSurplus() : "keep all";
  }

  private static String names(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(" "));
  }
}
