package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.it.Documents.Page;
import org.loam.it.SourceTree.Source;

/** Rules of the source tree that no off-the-shelf tool knows. CONTRIBUTING.md gives the why. */
@Tag("once")
class TidyTest {
  private static final int MAX_FILE_LINES = 400;

  /** Files that may have more lines than that, since nothing is gained by dividing them. */
  private static final Map<String, Integer> LONG_FILES =
      Map.of(
          "Mem.java", 500, // a short method for each kind of access to memory, and no state
          "Settings.java", 500); // a table with a row for each setting

  private static final int MAX_METHOD_LINES = 70;
  private static final int MAX_COLUMNS = 100;
  private static final int MAX_COMPONENTS = 8;

  private static final Pattern TYPE_NAME =
      Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
  private static final Pattern BANNED_NAME =
      Pattern.compile("I[A-Z].*|Abstract.*|.*(?:Impl|Manager|Helper|Utils?)");
  private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  @Test
  void mainFilesStayShort() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.main()) {
      int count = source.lines().size();
      int most = LONG_FILES.getOrDefault(source.fileName(), MAX_FILE_LINES);
      if (count > most) {
        offences.add(source.path() + ": " + count + " lines, at most " + most);
      }
      if (count <= MAX_FILE_LINES && LONG_FILES.containsKey(source.fileName())) {
        offences.add(source.path() + ": " + count + " lines, no longer one of LONG_FILES");
      }
    }
    assertThat(offences).isEmpty();
  }

  @Test
  void mainMethodsStayShort() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.main()) {
      for (JavaText.Method method : JavaText.methods(source.text())) {
        if (method.lineCount() > MAX_METHOD_LINES) {
          offences.add(
              at(source, method.firstLine())
                  + (method.lineCount() + " lines in a method, at most " + MAX_METHOD_LINES));
        }
      }
    }
    assertThat(offences).isEmpty();
  }

  /** What has more is taken apart into records of what belongs together. */
  @Test
  void recordsHaveFewComponents() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.mainAndTests()) {
      for (JavaText.Components record : JavaText.records(source.text())) {
        if (record.count() > MAX_COMPONENTS) {
          offences.add(
              source.path()
                  + (": " + record.count() + " components of " + record.recordName())
                  + (", at most " + MAX_COMPONENTS));
        }
      }
    }
    assertThat(offences).isEmpty();
  }

  /**
   * The formatter wraps code; it leaves long literals and links to us, and tables in text blocks.
   */
  @Test
  void linesFitTheScreen() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.mainAndTests()) {
      List<String> lines = source.lines();
      boolean inTextBlock = false;
      for (int i = 0; i < lines.size(); i++) {
        inTextBlock ^= lines.get(i).split("\"\"\"", -1).length % 2 == 0;
        if (lines.get(i).length() > MAX_COLUMNS
            && !inTextBlock
            && !lines.get(i).startsWith("import ")) {
          offences.add(
              at(source, i + 1) + lines.get(i).length() + " columns, at most " + MAX_COLUMNS);
        }
      }
    }
    assertThat(offences).isEmpty();
  }

  @Test
  void namesSayWhatAThingIs() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.mainAndTests()) {
      Matcher type = TYPE_NAME.matcher(JavaText.withoutCommentsAndLiterals(source.text()));
      while (type.find()) {
        if (BANNED_NAME.matcher(type.group(1)).matches()) {
          offences.add(source.path() + ": " + type.group(1));
        }
      }
    }
    assertThat(offences).as("no I or Abstract prefix; no Impl, Manager, Helper, Util").isEmpty();
  }

  @Test
  void everyMainPackageExplainsItself() {
    Map<String, List<Source>> packages =
        SourceTree.main().stream().collect(Collectors.groupingBy(Source::directory));
    TreeSet<String> offences = new TreeSet<>();
    packages.forEach(
        (directory, sources) -> {
          if (sources.stream().noneMatch(TidyTest::explainsItsPackage)) {
            offences.add(directory);
          }
        });
    assertThat(offences).as("package-info.java with Javadoc and @NullMarked").isEmpty();
  }

  @Test
  void mainCodeIsFinished() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.main()) {
      List<String> lines = source.lines();
      for (int i = 0; i < lines.size(); i++) {
        if (UNFINISHED.matcher(lines.get(i)).find()) {
          offences.add(at(source, i + 1) + lines.get(i).strip());
        }
      }
    }
    assertThat(offences).isEmpty();
  }

  @Test
  void documentsArePlainEnglish() {
    List<String> offences = new ArrayList<>();
    for (Page page : Documents.all()) {
      for (String offence : PlainEnglish.offencesOfPage(page.text())) {
        offences.add(page.path() + ": " + offence);
      }
    }
    assertThat(offences).isEmpty();
  }

  /** What the command line and the table of settings show; both are strings of Java files. */
  @Test
  void helpTextsArePlainEnglish() {
    List<String> offences = new ArrayList<>();
    int files = 0;
    for (Source source : SourceTree.main()) {
      if (source.text().contains("import picocli.") || source.fileName().equals("Settings.java")) {
        files++;
        for (String offence : PlainEnglish.offences(JavaText.strings(source.text()))) {
          offences.add(source.path() + ": " + offence);
        }
      }
    }
    assertThat(offences).isEmpty();
    assertThat(files).isGreaterThan(30);
  }

  @Test
  void commentsArePlainEnglish() {
    List<String> offences = new ArrayList<>();
    for (Source source : SourceTree.mainAndTests()) {
      for (String offence : PlainEnglish.offences(JavaText.comments(source.text()))) {
        offences.add(source.path() + ": " + offence);
      }
    }
    assertThat(offences).isEmpty();
  }

  private static boolean explainsItsPackage(Source source) {
    return source.fileName().equals("package-info.java")
        && source.text().contains("@NullMarked")
        && source.text().contains("/**");
  }

  private static String at(Source source, int line) {
    return source.path() + ":" + line + ": ";
  }
}
