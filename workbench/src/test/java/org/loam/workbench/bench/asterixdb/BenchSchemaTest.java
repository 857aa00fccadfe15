package org.loam.workbench.bench.asterixdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchSchemaTest {
  private static final BenchSchema SCHEMA = new BenchSchema("skewed", 2);

  @Test
  void everyDatasetHasItsIndexes() {
    assertThat(SCHEMA.create())
        .startsWith("CREATE DATAVERSE skewed; USE skewed; CREATE TYPE Entry")
        .contains("CREATE DATASET records0(Entry) PRIMARY KEY id;")
        .contains("CREATE DATASET records1(Entry) PRIMARY KEY id;")
        .doesNotContain("records2");
    for (String index : BenchSchema.INDEXES) {
      assertThat(SCHEMA.create())
          .contains("CREATE INDEX " + index + " ON records0(")
          .contains("CREATE INDEX " + index + " ON records1(");
    }
    assertThat(SCHEMA.index())
        .isEqualTo("USE skewed; CREATE INDEX byBoth ON records0(part, mark);");
    assertThat(SCHEMA.dropIndex()).isEqualTo("USE skewed; DROP INDEX records0.byBoth;");
    assertThat(SCHEMA.drop()).isEqualTo("DROP DATAVERSE skewed;");
  }

  @Test
  void aFeedHasASocketForEachSender() {
    assertThat(SCHEMA.startFeed(1, List.of("nc1:20010", "nc2:20011")))
        .contains("'sockets': 'nc1:20010,nc2:20011'")
        .contains("CONNECT FEED records1Feed TO DATASET records1; START FEED records1Feed;");
    assertThat(SCHEMA.stopFeed(1)).isEqualTo("USE skewed; STOP FEED records1Feed;");
  }

  @Test
  void aLoadReadsEachFileOnItsNode() {
    assertThat(SCHEMA.load(List.of("nc1", "nc2"), List.of(Path.of("/d/a"), Path.of("/d/b"))))
        .isEqualTo(
            "USE skewed; LOAD DATASET records0 USING localfs"
                + " ((\"path\"=\"nc1:///d/a,nc2:///d/b\"),(\"format\"=\"json\"));");
  }

  @Test
  void queriesNameTheDataverse() {
    assertThat(SCHEMA.count(1)).isEqualTo("SELECT VALUE COUNT(*) FROM skewed.records1;");
    assertThat(SCHEMA.partAndMark(0, 3, -4))
        .isEqualTo("SELECT VALUE r FROM skewed.records0 r WHERE r.part = 3 AND r.mark = -4;");
  }
}
