package org.loam.workbench.demo;

import java.io.IOException;

/** Where records come from. */
interface RecordSource {
  /** For people: what the records are. */
  String description();

  /**
   * Gives all records, in the source's order.
   *
   * @throws IOException if the source cannot be read
   */
  void forEach(RecordSink sink) throws IOException;

  /** Takes records. */
  interface RecordSink {
    void accept(DemoRecord record) throws IOException;
  }
}
