package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.EngineConfig;
import org.loam.common.script.Script;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener;
import org.loam.engine.report.FlushChoice;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;

/** Which tree of an engine is flushed after which writes, and for what cause. */
@Tag("once")
class WriteMemoryScriptTest implements Script.Interpreter {
  private static final String SMALL =
      """
      memory: {total: 64MiB}
      page: {size: 4KiB}
      durability: PROCESS
      """;

  /** Enough for a flush that a write has made necessary. */
  private static final long REST_NANOS = 100_000_000;

  /** Words of a line that says how many keys it writes in turn. */
  private static final int OF_KEYS = 8;

  private final Simulation sim = Simulation.seeded(1);
  private final RecordedEvents events = new RecordedEvents();
  private final TreeSet<String> names = new TreeSet<>();
  private final SortedMap<String, Dataset> datasets = new TreeMap<>();
  private EngineConfig config = EngineConfig.fromYaml(SMALL);
  private @Nullable Engine engine;
  private int writes;
  private int choices;

  @TestFactory
  Stream<DynamicTest> writeMemory() {
    return Script.tests("write-memory", WriteMemoryScriptTest::new);
  }

  @Override
  public void close() {
    Engine open = engine;
    if (open != null) {
      sim.run(open::close);
    }
    sim.close();
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "engine" -> open(command);
      case "dataset" -> dataset(command);
      case "put" -> inEngine(() -> command.lines().forEach(this::put));
      case "choices" -> choices();
      case "memory" -> memory();
      case "change" -> inEngine(() -> command.lines().forEach(this::change));
      case "crash" -> crash();
      case "flush" -> inEngine(() -> engine().flush());
      case "drop" -> inEngine(() -> command.options().forEach(name -> engine().dropTree(name)));
      default -> throw command.unknown();
    };
  }

  /** Opens an engine with the settings below and the trees that are named. */
  private String open(Script.Command command) {
    config = EngineConfig.fromYaml(SMALL + String.join("\n", command.lines()));
    sim.run(() -> command.options().forEach(opened()::createTree));
    names.addAll(command.options());
    return "trees: " + String.join(" ", names);
  }

  /** Creates datasets with an index each, whose entries are as many as the records. */
  private String dataset(Script.Command command) {
    IndexDefinition index =
        IndexDefinition.of("length", "its length", (record, keys) -> keys.next().add(1));
    sim.run(
        () ->
            command
                .options()
                .forEach(name -> datasets.put(name, create(engine().datasets(), name, index))));
    return "datasets: " + String.join(" ", datasets.keySet());
  }

  private static Dataset create(Datasets all, String name, IndexDefinition index) {
    return all.create(name, "any record", List.of(index));
  }

  private Engine opened() {
    OpenOptions options = OpenOptions.DEFAULT.withListener(events);
    Engine opened = Engine.open(sim.env(), sim.directory(), config, options);
    engine = opened;
    return opened;
  }

  /** The process ends at once; the next one opens what it left. */
  private String crash() {
    sim.run(() -> sim.crash(CrashKind.PROCESS_DEATH));
    choices = 0;
    sim.run(this::opened);
    return "trees: " + String.join(" ", names);
  }

  private Engine engine() {
    Engine open = engine;
    if (open == null) {
      throw new IllegalStateException("the first command opens an engine");
    }
    return open;
  }

  /** Does something; says what was flushed, and why. */
  private String inEngine(Runnable action) {
    int before = events.all(EventListener.FlushBegun.class).size();
    sim.run(
        () -> {
          action.run();
          sim.env().waiter().pause(REST_NANOS);
        });
    StringJoiner out = new StringJoiner("\n");
    List<EventListener.FlushBegun> flushes = events.all(EventListener.FlushBegun.class);
    for (EventListener.FlushBegun flush : flushes.subList(before, flushes.size())) {
      out.add("flush of " + flush.tree() + ": " + flush.cause());
    }
    return out.length() == 0 ? "no flush" : out.toString();
  }

  /** All choices since the last command of this name. */
  private String choices() {
    List<FlushChoice> all = engine().flushChoices();
    StringJoiner out = new StringJoiner("\n");
    all.subList(choices, all.size()).forEach(choice -> out.add(text(choice)));
    choices = all.size();
    return out.length() == 0 ? "none" : out.toString();
  }

  /** What is in memory of each tree, and what merges there have filled. */
  private String memory() {
    StringJoiner out = new StringJoiner("\n");
    for (LsmTree tree : engine().open().trees().list()) {
      out.add(
          String.format(
              Locale.ROOT,
              "%s: %d runs, %d KiB, %d KiB of merges",
              tree.name(),
              tree.runs().size(),
              tree.memoryBytes() >> 10,
              tree.mergedInMemoryBytes() >> 10));
    }
    return out.toString();
  }

  private static String text(FlushChoice choice) {
    FlushChoice.Chosen chosen = choice.chosen();
    FlushChoice.Compared compared = choice.compared();
    return String.format(
        Locale.ROOT,
        "%s %s: %s %d of %d, %d KiB, %.0f %% of memory, %.0f %% of writes, %d KiB of log,"
            + " %d KiB leaving",
        choice.cause(),
        choice.rule(),
        chosen.tree(),
        chosen.range(),
        chosen.ranges(),
        chosen.bytes() >> 10,
        100 * compared.memoryShare(),
        100 * compared.writeShare(),
        (compared.endLsn() - chosen.minLsn()) >> 10,
        compared.leavingBytes() >> 10);
  }

  /**
   * A line such as {@code orders 300 x 1000 bytes}, or {@code orders,lines 300 x 1000 bytes over 40
   * keys} for writes to several trees, and keys, in turn; the background comes to rest after each.
   */
  private void put(String line) {
    String[] words = line.split(" +", -1);
    for (int i = Integer.parseInt(words[1]); i > 0; i--) {
      byte[] key = words.length == OF_KEYS ? key(i % Integer.parseInt(words[6])) : nextKey();
      for (String name : words[0].split(",", -1)) {
        put(name, key, new byte[Integer.parseInt(words[3])]);
        sim.env().waiter().pause(REST_NANOS);
      }
    }
  }

  private void put(String name, byte[] key, byte[] record) {
    Dataset dataset = datasets.get(name);
    if (dataset == null) {
      engine().tree(name).put(key, record);
    } else {
      dataset.upsert(key, record);
    }
  }

  /** Another one each time, from all over. */
  private byte[] nextKey() {
    return key(++writes);
  }

  private static byte[] key(int number) {
    return Integer.toHexString(Integer.reverse(number)).getBytes(UTF_8);
  }

  private void change(String line) {
    String[] parts = line.split(" *= *", 2);
    engine().configure(parts[0], parts[1]);
  }
}
