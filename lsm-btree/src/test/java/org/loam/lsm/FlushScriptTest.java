package org.loam.lsm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.FlushPolicy.TreeMemory;
import org.loam.lsm.FlushPolicy.WholeTree;

/** Which tree is flushed when write memory is short. */
class FlushScriptTest implements Script.Interpreter {
  @TestFactory
  Stream<DynamicTest> flush() {
    return Script.tests("flush", FlushScriptTest::new);
  }

  /**
   * Lines such as {@code orders 300 bytes from LSN 17}, one for each range of a tree, where what
   * follows the bytes may be missing: nothing was written to the range then; and lines such as
   * {@code orders wrote 900}, {@code orders ordered} if its parts leave in the order of the lines,
   * and {@code orders keeps 200} for memory that may not be flushed. The verb {@code together}
   * chooses among whole trees, of which lines such as {@code orders with sales} say what they are
   * flushed with, and {@code orders leaves} that a part is on its way.
   */
  @Override
  public String interpret(Script.Command command) {
    Map<String, Ranges> memory = new LinkedHashMap<>();
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      memory.computeIfAbsent(words[0], Ranges::new).add(words);
    }
    long bytes = command.number("bytes", 1);
    StringBuilder out = new StringBuilder();
    for (FlushPolicy policy : FlushPolicy.values()) {
      List<String> names =
          switch (command.verb()) {
            case "choose" ->
                policy.choose(memory.values().stream().map(Ranges::parts).toList(), bytes);
            case "together" ->
                policy.chooseTogether(memory.values().stream().map(Ranges::whole).toList(), bytes);
            default -> throw command.unknown();
          };
      String chosen = names.isEmpty() ? "none" : String.join(" ", names);
      out.append(policy).append(": ").append(chosen).append('\n');
    }
    return out.toString();
  }

  /** What a tree has in memory. */
  private static final class Ranges {
    private final String name;
    private final List<long[]> sizes = new ArrayList<>();
    private String unit;
    private boolean isLeaving;
    private boolean isInOrder;
    private long keptBytes;
    private long writtenBytes;

    Ranges(String name) {
      this.name = name;
      this.unit = name;
    }

    private void add(String[] words) {
      switch (words[1]) {
        case "wrote" -> writtenBytes = Long.parseLong(words[2]);
        case "keeps" -> keptBytes = Long.parseLong(words[2]);
        case "with" -> unit = words[2];
        case "leaves" -> isLeaving = true;
        case "ordered" -> isInOrder = true;
        default -> {
          long lsn = words.length > 3 ? Long.parseLong(words[5]) : Long.MAX_VALUE;
          sizes.add(new long[] {Long.parseLong(words[1]), lsn});
        }
      }
    }

    private long bytes() {
      return keptBytes + sizes.stream().mapToLong(size -> size[0]).sum();
    }

    private TreeMemory<String> parts() {
      List<ActiveMemory<String>> actives =
          sizes.stream().map(size -> new ActiveMemory<>(text(size[0]), size[0], size[1])).toList();
      return new TreeMemory<>(bytes(), writtenBytes, actives, isInOrder);
    }

    /** The name, with the size of a range if the tree has several. */
    private String text(long bytes) {
      return sizes.size() == 1 ? name : name + "/" + bytes;
    }

    private WholeTree<String> whole() {
      long minLsn = sizes.stream().mapToLong(size -> size[1]).min().orElse(Long.MAX_VALUE);
      return new WholeTree<>(name, unit, bytes(), writtenBytes, minLsn, isLeaving);
    }
  }
}
