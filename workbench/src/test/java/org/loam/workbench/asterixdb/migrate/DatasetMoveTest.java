package org.loam.workbench.asterixdb.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine;

/** What a move compares, and what it leaves behind. */
class DatasetMoveTest {
  @TempDir Path files;

  private final FakeCluster old = new FakeCluster();
  private final FakeCluster fresh = new FakeCluster();

  /** One dataset. Its records come in another order than that of their loading. */
  private static final class FakeCluster implements MoveCluster {
    final List<String> records = new ArrayList<>();
    UnaryOperator<String> change = record -> record;
    Runnable afterRead = () -> {};
    String loadedBy = "";

    @Override
    public long count(String dataset) {
      return records.size();
    }

    @Override
    public void read(String dataset, Consumer<String> each) {
      for (int i = records.size() - 1; i >= 0; i--) {
        each.accept(records.get(i));
      }
      afterRead.run();
    }

    @Override
    public void load(String dataset, String node, Path file) {
      loadedBy = node;
      try (Stream<String> lines = Files.lines(file)) {
        lines.map(change).filter(line -> !line.isEmpty()).forEach(records::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void drop(String dataset) {
      records.clear();
    }
  }

  private DatasetMove.Moved move() throws InterruptedException {
    return new DatasetMove(old, fresh, files, "red").copy("shop.orders");
  }

  private void requireRefused(String message) throws IOException {
    assertThatThrownBy(this::move)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(message);
    try (Stream<Path> left = Files.list(files)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void allRecordsGoThroughAFileThatIsDeleted() throws Exception {
    old.records.addAll(List.of("{ \"id\": 1 }", "{ \"id\": 2, \"name\": \"Żółć\" }"));
    assertThat(move()).isEqualTo(new DatasetMove.Moved("shop.orders", 2, 42));
    assertThat(fresh.records).containsExactlyInAnyOrderElementsOf(old.records);
    assertThat(fresh.loadedBy).isEqualTo("red");
    assertThat(files).isEmptyDirectory();
  }

  @Test
  void anEmptyDatasetIsNotLoaded() throws Exception {
    assertThat(move().records()).isZero();
    assertThat(fresh.loadedBy).isEmpty();
  }

  @Test
  void aDatasetThatIsNotEmptyIsNotFilled() throws IOException {
    fresh.records.add("{ }");
    requireRefused("has 1 records; only an empty one is filled");
    assertThat(fresh.loadedBy).isEmpty();
  }

  @Test
  void aRecordThatIsLostOrAnotherOneIsFound() throws IOException {
    old.records.addAll(List.of("{ \"id\": 1 }", "{ \"id\": 2 }"));
    fresh.change = line -> line.contains("2") ? "" : line;
    requireRefused("2 records went, and 1 came");
    fresh.records.clear();
    fresh.change = line -> line.replace('2', '3');
    requireRefused("differs");
  }

  @Test
  void aWriteMeanwhileIsFound() throws IOException {
    old.records.add("{ \"id\": 1 }");
    old.afterRead = () -> old.records.add("{ \"id\": 2 }");
    requireRefused("had 1 records when it was read, and has 2 now");
  }

  /** A LOAD goes on if its command is killed, and another one must not change what it reads. */
  @Test
  void aFileThatIsThereStaysAsItIs() throws IOException {
    old.records.add("{ \"id\": 1 }");
    Path file = Files.writeString(files.resolve("shop_orders.adm"), "of a LOAD that runs");
    assertThatThrownBy(this::move)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(file + " is there already");
    assertThat(file).hasContent("of a LOAD that runs");
    assertThat(fresh.loadedBy).isEmpty();
  }

  @Test
  void aPathIsATextOfItsStatement() {
    assertThat(QueriedCluster.statement("shop.orders", "red", Path.of("/a \"b\"/c\\d.adm")))
        .isEqualTo(
            "LOAD DATASET shop.orders USING localfs ((\"path\"=\"red:///a \\\"b\\\"/c\\\\d.adm\"),"
                + "(\"format\"=\"adm\"));");
  }

  @Test
  void aDirectoryWithACommaIsRefusedBeforeAnythingIsRead() throws IOException {
    Path directory = Files.createDirectory(files.resolve("a,b"));
    StringWriter said = new StringWriter();
    int exitCode =
        new CommandLine(new MigrateCommand())
            .setErr(new PrintWriter(said))
            .execute(
                "--from=http://localhost:1",
                "--to=http://localhost:1",
                "--node=red",
                "--files=" + directory,
                "shop.orders");
    assertThat(exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(said.toString()).contains("a,b, rule: no comma");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() throws IOException {
    old.records.add("{ \"id\": 1 }");
    Files.delete(files);
    assertThatThrownBy(this::move)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot write")
        .hasMessageContaining("shop_orders.adm");
    assertThat(fresh.loadedBy).isEmpty();
    Files.createDirectory(files);
  }
}
