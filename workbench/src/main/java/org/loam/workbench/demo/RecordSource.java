package org.loam.workbench.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Where records come from. */
public interface RecordSource {
  /** For people: what the records are. */
  String description();

  /** What the records look like. */
  Shape shape();

  /**
   * Gives all records, in the source's order.
   *
   * @throws IOException if the source cannot be read
   */
  void forEach(RecordSink sink) throws IOException;

  /** Takes records. */
  interface RecordSink {
    void accept(ObjectNode record) throws IOException;
  }
}
