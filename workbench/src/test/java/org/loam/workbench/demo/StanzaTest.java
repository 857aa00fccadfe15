package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StanzaTest {
  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<Stanza> parse(String text) throws IOException {
    List<Stanza> stanzas = new ArrayList<>();
    Stanza.parse(stream(text), stanzas::add);
    return stanzas;
  }

  private static List<DemoRecord> records(String text) throws IOException {
    List<DemoRecord> records = new ArrayList<>();
    PackageIndex.forEach(stream(text), records::add);
    return records;
  }

  @Test
  void anEmptyLineEndsAStanzaAndTheEndOfTheFileToo() throws IOException {
    List<Stanza> stanzas = parse("Package: a\nVersion: 1\n\nPackage: b\n\n\n\nPackage: c");
    assertThat(stanzas).extracting(s -> s.field("package")).containsExactly("a", "b", "c");
    assertThat(stanzas.get(0).text()).isEqualTo("Package: a\nVersion: 1\n");
    assertThat(stanzas.get(2).text()).isEqualTo("Package: c\n");
    assertThat(stanzas.get(1).field("version")).isNull();
  }

  @Test
  void continuationLinesBelongToTheFieldAbove() throws IOException {
    Stanza stanza =
        parse("Package: a\nTag: x::y,\n Section: no\n\tmore: no\nSection: libs\n").get(0);
    assertThat(stanza.field("tag")).isEqualTo("x::y,");
    assertThat(stanza.field("section")).isEqualTo("libs");
    assertThat(stanza.fields()).hasSize(3);
  }

  @Test
  void fieldNamesHaveNoCaseAndValuesMayHoldColons() throws IOException {
    Stanza stanza = parse("PACKAGE: a\nHomepage:https://x.org/\nEmpty:\n").get(0);
    assertThat(stanza.field("package")).isEqualTo("a");
    assertThat(stanza.field("homepage")).isEqualTo("https://x.org/");
    assertThat(stanza.field("empty")).isEmpty();
  }

  @Test
  void anEmptyStreamHasNoStanza() throws IOException {
    assertThat(parse("")).isEmpty();
    assertThat(parse("\n\n \n")).isEmpty();
  }

  @Test
  void theWholeStanzaIsTheValue() throws IOException {
    DemoRecord record = records("Package: a\nSection: libs\nDescription: Grüße\n").get(0);
    assertThat(record.key()).isEqualTo("a");
    assertThat(record.group()).isEqualTo("libs");
    assertThat(record.text()).isEqualTo("Package: a\nSection: libs\nDescription: Grüße\n");
  }

  @Test
  void keysAreUniqueAndTheSameAgainIsLeftOut() throws IOException {
    String a = "Package: a\nArchitecture: amd64\n";
    String index =
        a
            + "Version: 1\n\n"
            + a
            + "Version: 2\n\n"
            + a
            + "Version: 2\n\n"
            + "Version: of nothing\n\nPackage: b\n";
    assertThat(records(index)).extracting(DemoRecord::key).containsExactly("a", "a 2 amd64", "b");
    assertThat(records(index)).extracting(DemoRecord::group).containsOnly("none");
  }
}
