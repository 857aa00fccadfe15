package org.loam.workbench.asterixdb.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;

/** What is unpacked, and which files a case lacks. */
class SuiteFilesTest {
  private static final String CASES = "runtimets/queries_sqlpp/";

  @TempDir Path directory;

  private Path data;
  private Path root;

  @BeforeEach
  void makeData() throws IOException {
    data = Files.createDirectory(directory.resolve("given"));
    Files.createDirectory(data.resolve("wisc"));
    Files.writeString(data.resolve("wisc/a.adm"), "{}");
    root = Files.createDirectory(directory.resolve("root"));
  }

  private SuiteFiles files(@Nullable Path data, Map<String, String> entries) throws IOException {
    Path jar = SuiteJar.in(directory, entries);
    return new SuiteFiles(root, "x.jar" + File.pathSeparator + jar, data);
  }

  private static SuiteCase suiteCase(String... names) {
    List<String> directories =
        List.of(names).stream().map(name -> "src/test/resources/" + CASES + name).toList();
    return new SuiteCase("dml", "dml/" + String.join("+", names), directories);
  }

  private static String load(String paths) {
    return "load dataset d using localfs ((`path`=`" + paths + "`),(`format`=`adm`));";
  }

  private static final Map<String, String> ENTRIES =
      Map.of(
          CASES + "there/there.1.update.sqlpp",
          "load (\"path\"=\"asterix_nc1://data/wisc/a.adm,asterix_nc2://data/wisc\")",
          CASES + "half/half.1.update.sqlpp",
          load("asterix_nc1://data/wisc/a.adm,asterix_nc1://data/wisc/b.adm"),
          CASES + "inline/inline.1.ddl.sqlpp",
          "create dataverse d; // no file",
          CASES + "server/server.1.server.sqlpp",
          "start file-client 127.0.0.1 10001 ../asterix-app/data/c.csv 500",
          CASES + "built/built.1.lib.sqlpp",
          "install lib java target/data/lib.zip",
          CASES + "hdfs/hdfs.1.ddl.sqlpp",
          "((\"hdfs\"=\"hdfs://127.0.0.1:31888\"))",
          "META-INF/x",
          "");

  @Test
  void aCaseLacksTheFilesThatAreNotThere() throws IOException {
    SuiteFiles files = files(data, ENTRIES);
    assertThat(files.missing(suiteCase("there"))).isEmpty();
    assertThat(files.missing(suiteCase("inline"))).isEmpty();
    assertThat(files.missing(suiteCase("half"))).contains("needs data/wisc/b.adm");
    assertThat(files.missing(suiteCase("server"))).contains("needs data/c.csv");
    assertThat(files.missing(suiteCase("built"))).contains("needs target/data/lib.zip");
    assertThat(files.missing(suiteCase("hdfs"))).contains("needs hdfs");
    assertThat(files.missing(suiteCase("inline", "half", "hdfs")))
        .contains("needs data/wisc/b.adm, hdfs");
  }

  @Test
  void withoutDataEveryCaseThatLoadsLacksIt() throws IOException {
    SuiteFiles files = files(null, ENTRIES);
    assertThat(files.missing(suiteCase("there"))).contains("needs data/wisc, data/wisc/a.adm");
    assertThat(files.missing(suiteCase("inline"))).isEmpty();
  }

  @Test
  void aDirectoryHasTheSuiteAndTheData() throws IOException {
    SuiteFiles files = files(data, ENTRIES);
    assertThat(root.resolve("src/test/resources/META-INF")).doesNotExist();
    Path run = files.directory("loam");
    assertThat(files.directory("loam")).isEqualTo(run);
    assertThat(run.resolve("src/test/resources/" + CASES + "inline/inline.1.ddl.sqlpp"))
        .hasContent("create dataverse d; // no file");
    assertThat(run.resolve("data/wisc/a.adm")).hasContent("{}");
    assertThat(run.resolve("../asterix-app/data/wisc/a.adm")).exists();
    assertThat(files.directory("stock")).isNotEqualTo(run);
  }

  @Test
  void aWrongJarIsRefused() {
    assertThatThrownBy(() -> new SuiteFiles(root, "asterix-app-1.2.jar", null))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("tests");
    assertThatThrownBy(() -> files(null, Map.of("runtimets/../../../../x", "")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("outside");
  }
}
