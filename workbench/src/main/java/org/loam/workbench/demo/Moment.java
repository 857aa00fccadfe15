package org.loam.workbench.demo;

import org.loam.engine.IndexQuery;
import org.loam.engine.ScanOptions;
import org.loam.engine.json.JsonCursor;
import org.loam.workbench.demo.Answers.Shown;
import org.loam.workbench.demo.Answers.Way;
import org.loam.workbench.demo.ExpectedIndex.Row;

/** Records and an index as they are now, to be walked when they have changed. */
final class Moment implements AutoCloseable {
  private final Expected then;
  private final JsonCursor records;
  private final JsonCursor byNumber;

  Moment(DemoDatabase database, Expected expected) {
    this.then = expected.copy();
    this.records = database.scan(ScanOptions.all());
    this.byNumber = database.query(IndexKind.NUMBER, IndexQuery.all());
  }

  /** Compares both with the model of then; once. */
  void check(Answers answers) {
    answers.compare(Way.RANGE, "moment", Shown.by(records), then.entries().values().iterator());
    answers.compare(
        Way.INDEX,
        "index of the moment",
        Shown.by(byNumber),
        ExpectedIndex.of(IndexKind.NUMBER, then).rows().stream().map(Row::entry).iterator());
  }

  @Override
  public void close() {
    records.close();
    byNumber.close();
  }
}
