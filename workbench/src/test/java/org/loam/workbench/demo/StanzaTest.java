package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.node.ObjectNode;
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

  private static List<ObjectNode> records(String text) throws IOException {
    List<ObjectNode> records = new ArrayList<>();
    PackageIndex.forEach(stream(text), records::add);
    return records;
  }

  @Test
  void anEmptyLineEndsAStanzaAndTheEndOfTheFileToo() throws IOException {
    List<Stanza> stanzas = parse("Package: a\nVersion: 1\n\nPackage: b\n\n\n\nPackage: c");
    assertThat(stanzas).extracting(s -> s.field("package")).containsExactly("a", "b", "c");
    assertThat(stanzas.get(0).fields())
        .containsExactly(entry("package", "a"), entry("version", "1"));
    assertThat(stanzas.get(2).fields()).containsExactly(entry("package", "c"));
    assertThat(stanzas.get(1).field("version")).isNull();
  }

  @Test
  void continuationLinesBelongToTheFieldAbove() throws IOException {
    Stanza stanza =
        parse(" of: nothing\nPackage: a\nTag: x::y,\n Section: no\n\tmore: no\nSection: libs\n")
            .get(0);
    assertThat(stanza.field("tag")).isEqualTo("x::y,\nSection: no\nmore: no");
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
    assertThat(records(index))
        .extracting(record -> record.get("package").textValue())
        .containsExactly("a", "a:amd64=2", "b");
  }
}
