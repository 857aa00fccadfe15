package org.loam.asterix.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.asterix.common.config.DatasetConfig.DatasetType;
import org.apache.asterix.common.metadata.DataverseName;
import org.apache.asterix.lang.common.base.Expression;
import org.apache.asterix.lang.common.expression.FieldBinding;
import org.apache.asterix.lang.common.expression.LiteralExpr;
import org.apache.asterix.lang.common.expression.RecordConstructor;
import org.apache.asterix.lang.common.expression.TypeReferenceExpression;
import org.apache.asterix.lang.common.literal.StringLiteral;
import org.apache.asterix.lang.common.statement.DatasetDecl;
import org.apache.asterix.lang.common.statement.InternalDetailsDecl;
import org.apache.asterix.lang.common.struct.Identifier;
import org.apache.hyracks.algebricks.common.exceptions.AlgebricksException;
import org.apache.hyracks.algebricks.common.utils.Pair;
import org.apache.hyracks.api.exceptions.SourceLocation;
import org.apache.hyracks.api.exceptions.Warning;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BlockCompressionTest {
  private static FieldBinding field(String name, Expression value) {
    return new FieldBinding(new LiteralExpr(new StringLiteral(name)), value);
  }

  private static RecordConstructor with(String clause, String field, String value) {
    return new RecordConstructor(
        new ArrayList<>(
            List.of(
                field(
                    clause,
                    new RecordConstructor(
                        new ArrayList<>(
                            List.of(field(field, new LiteralExpr(new StringLiteral(value))))))))));
  }

  private static RecordConstructor scheme(String name) {
    return with("storage-block-compression", "scheme", name);
  }

  @SuppressWarnings("NullAway") // As the parser makes it: what was not said is null.
  private static DatasetDecl statement(
      @Nullable RecordConstructor with, @Nullable List<String> filter) throws AlgebricksException {
    DataverseName shop = DataverseName.createSinglePartName("shop");
    DatasetDecl statement =
        new DatasetDecl(
            shop,
            new Identifier("orders"),
            new TypeReferenceExpression(new Pair<>(shop, new Identifier("OrderType"))),
            null,
            Map.of(),
            DatasetType.INTERNAL,
            new InternalDetailsDecl(
                List.of(List.of("id")),
                List.of(0),
                false,
                filter == null ? null : Integer.valueOf(0),
                filter),
            with,
            false);
    statement.setSourceLocation(new SourceLocation(3, 7));
    return statement;
  }

  @Test
  void aStatementThatAsksForCompressionIsWarned() throws Exception {
    assertThat(BlockCompression.ignored(statement(scheme("snappy"), null)))
        .map(Warning::getMessage)
        .contains(
            "LOAM0001: storage-block-compression snappy has no effect on dataset orders: it is in"
                + " Loam, which does not compress (in line 3, at column 7)");
  }

  @Test
  void othersAreNot() throws Exception {
    assertThat(BlockCompression.ignored(statement(null, null))).as("no clause").isEmpty();
    assertThat(BlockCompression.ignored(statement(scheme("none"), null))).as("none").isEmpty();
    RecordConstructor both = scheme("snappy");
    both.getFbList().addAll(with("merge-policy", "name", "correlated-prefix").getFbList());
    assertThat(BlockCompression.ignored(statement(both, null))).as("stock storage").isEmpty();
    assertThat(BlockCompression.ignored(statement(scheme("snappy"), List.of("day"))))
        .as("a filter: stock storage")
        .isEmpty();
  }

  @Test
  void aNodeMentionsTheCommonOption() {
    assertThat(BlockCompression.note("snappy"))
        .get()
        .asString()
        .startsWith("compression: storage.compression.block is snappy, which has no effect");
    assertThat(BlockCompression.note("none")).isEmpty();
  }
}
