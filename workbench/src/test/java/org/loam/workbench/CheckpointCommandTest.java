package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Engine;
import org.loam.engine.EngineMXBean;
import org.loam.engine.Tree;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;

/** {@code loam checkpoint} in a process of its own, while an engine runs here and afterwards. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckpointCommandTest {
  private static final EngineConfig CONFIG =
      EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @TempDir Path directory;

  private static void requireOrder(Path database) {
    try (Engine copy = Engine.open(database, CONFIG)) {
      assertThat(copy.tree("orders").get("key".getBytes(UTF_8))).hasSize(1000);
    }
  }

  @Test
  void anOpenDatabaseAndAClosedOneAreCopied() {
    String data = directory.resolve("db").toString();
    Path open = directory.resolve("open");
    Path closed = directory.resolve("closed");
    try (Engine engine = Engine.open(Path.of(data), CONFIG)) {
      Tree tree = engine.createTree("orders");
      tree.put("key".getBytes(UTF_8), new byte[1000]);
      engine.flush();
      LoamProcess.Result made =
          LoamProcess.run("checkpoint", "--directory", data, "--to", open.toString());
      assertThat(made.err()).isEmpty();
      assertThat(made.exitCode()).isZero();
      assertThat(made.out()).contains("checkpoint in " + open, "MiB of log");
      LoamProcess.Result refused =
          LoamProcess.run("checkpoint", "--directory", data, "--to", open.toString());
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.err()).contains(open.toString(), "not empty");
    }
    LoamProcess.Result made =
        LoamProcess.run("checkpoint", "--json", "--directory", data, "--to", closed.toString());
    assertThat(Json.read(made.out(), JsonNode.class).path("linkedTables").asInt()).isPositive();
    requireOrder(open);
    requireOrder(closed);
  }

  @Test
  void withoutADatabaseNothingIsMade() {
    Path target = directory.resolve("copy");
    LoamProcess.Result none =
        LoamProcess.run(
            "checkpoint",
            "--directory",
            directory.resolve("none").toString(),
            "--to",
            target.toString());
    assertThat(none.exitCode()).isEqualTo(3);
    assertThat(none.err()).contains("there is no database");
    assertThat(Files.exists(target)).isFalse();
  }

  // ---- A process that has the database open, and answers otherwise.

  private interface Answer {
    String to(String target);
  }

  private static ObjectName bean(Path database) throws Exception {
    return new ObjectName(
        "org.loam:type=Engine,directory=" + ObjectName.quote(database.toString()));
  }

  /** Puts a bean in the place of that of an engine. */
  private static void answer(Path database, Answer answer) throws Exception {
    Object bean =
        Proxy.newProxyInstance(
            EngineMXBean.class.getClassLoader(),
            new Class<?>[] {EngineMXBean.class},
            (proxy, method, arguments) -> answer.to((String) arguments[0]));
    SERVER.unregisterMBean(bean(database));
    SERVER.registerMBean(
        new StandardMBean((EngineMXBean) bean, EngineMXBean.class, true), bean(database));
  }

  private static LoamProcess.Result checkpoint(Path database, Path target) {
    return LoamProcess.run(
        "checkpoint", "--directory", database.toString(), "--to", target.toString());
  }

  @Test
  void theExitCodeIsThatOfACheckpointOfItsOwn() throws Exception {
    Path database = directory.resolve("db");
    try (Engine engine = Engine.open(database, CONFIG)) {
      String made =
          (String)
              SERVER.invoke(
                  bean(database),
                  "checkpoint",
                  new Object[] {directory.resolve("made").toString()},
                  new String[] {"java.lang.String"});
      answer(
          database,
          target -> {
            switch (Path.of(target).getFileName().toString()) {
              case "full" -> throw new UncheckedIOException("no room", new IOException());
              case "fenced" -> throw new IllegalStateException("a fault of the engine");
              default -> {
                return made;
              }
            }
          });
      LoamProcess.Result full = checkpoint(database, directory.resolve("full"));
      assertThat(full.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
      assertThat(full.err()).isEqualToIgnoringNewLines("loam: no room");
      LoamProcess.Result fenced = checkpoint(database, directory.resolve("fenced"));
      assertThat(fenced.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(fenced.err()).isEqualToIgnoringNewLines("loam: a fault of the engine");
      LoamProcess.Result elsewhere = checkpoint(database, directory.resolve("elsewhere"));
      assertThat(elsewhere.exitCode()).isZero();
      assertThat(elsewhere.err()).contains("as that process sees it");
    }
  }

  /** A process that dies when it is asked for a checkpoint. */
  static final class Dying {
    private Dying() {}

    public static void main(String[] arguments) throws Exception {
      Path database = Path.of(arguments[0]);
      try (Engine engine = Engine.open(database, CONFIG)) {
        answer(
            database,
            target -> {
              Runtime.getRuntime().halt(1);
              return target;
            });
        System.out.println("open");
        System.in.read();
      }
    }
  }

  @Test
  void aProcessThatDiesLeavesTheTargetUnknown() {
    Path database = directory.resolve("db");
    Path target = directory.resolve("copy");
    LoamProcess.run(
        LoamProcess.builder(256, Dying.class, database.toString()),
        process -> {
          String open = process.inputReader().readLine();
          LoamProcess.Result result = checkpoint(database, target);
          assertThat(result.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
          assertThat(result.err())
              .contains("ended or was killed", "not known what is in " + target);
          return open;
        });
  }
}
