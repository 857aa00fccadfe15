package org.loam.log;

import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentLink;
import org.loam.log.recover.LogChain;

/**
 * Which segments of the log a truncation frees, or the end of a hold, how long the log is, and what
 * was written. LSNs are in KiB; a segment is 64 KiB long and has 4 KiB at both of its ends that
 * hold no frame.
 */
class LiveSegmentsScriptTest implements Script.Interpreter {
  private static final int KIB = 1 << 10;
  private static final int SEGMENT_BYTES = 64 * KIB;

  private final Simulation sim = Simulation.seeded(1);
  private final LiveSegments live = new LiveSegments(sim.env(), new LogChain(List.of(), 0), 0);
  private final TreeMap<String, LogSegment> segments = new TreeMap<>();

  LiveSegmentsScriptTest() {
    sim.env().files().createDirectories(sim.directory());
  }

  @TestFactory
  Stream<DynamicTest> segments() {
    return Script.tests("segments", LiveSegmentsScriptTest::new);
  }

  @Override
  public void close() {
    segments.values().forEach(LogSegment::release);
    sim.close();
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "begin" -> begin(command);
      case "next" -> next(command);
      case "forced" -> freed(live.retire(segments.get(command.options().get(0))));
      case "truncate" -> freed(live.truncate((long) KIB * command.number("to", 0)));
      case "hold" -> hold();
      case "end-hold" -> freed(live.endHold());
      case "length" -> length(command);
      case "written" -> live.writtenBytes((long) KIB * command.number("end", 0)) / KIB + " KiB";
      default -> throw command.unknown();
    };
  }

  private String hold() {
    live.hold();
    return live.count() + " live";
  }

  private String begin(Script.Command command) {
    live.add(segment(command));
    return live.count() + " live";
  }

  /** Frames go on in another segment. */
  private String next(Script.Command command) {
    live.advance((long) KIB * command.number("end", 0), segment(command));
    return live.count() + " live";
  }

  private LogSegment segment(Script.Command command) {
    String name = command.options().get(0);
    int slot = segments.size();
    SegmentLink link = new SegmentLink((long) KIB * command.number("base", 0), slot + 1, slot);
    SegmentHeader header = SegmentHeader.prepared(1, slot, SEGMENT_BYTES, link, 0);
    Path path = sim.directory().resolve(name);
    StorageFile file = sim.env().files().open(path, Mode.CREATE_BUFFERED);
    long zeros = Mem.allocate(SEGMENT_BYTES, 8);
    Mem.fill(zeros, SEGMENT_BYTES, (byte) 0);
    file.write(0, zeros, SEGMENT_BYTES);
    Mem.free(zeros);
    LogSegment segment = LogSegment.prepared(file, header, SEGMENT_BYTES);
    segments.put(name, segment);
    return segment;
  }

  private String freed(List<LogSegment> freed) {
    StringJoiner out = new StringJoiner(" ", "freed: ", "; " + live.count() + " live");
    out.setEmptyValue("nothing freed; " + live.count() + " live");
    freed.forEach(segment -> out.add(segment.path().getFileName().toString()));
    return out.toString();
  }

  private String length(Script.Command command) {
    return live.lengthBytes((long) KIB * command.number("end", 0)) / KIB
        + (" KiB from " + live.truncationLsn() / KIB);
  }
}
