package org.loam.workbench.asterixdb.cluster;

/** How AsterixDB prints rows. */
enum ResultFormat {
  JSON("application/json"),

  /** Rows are texts with AsterixDB's types, but no number says which one it has. */
  ADM("application/x-adm"),

  /**
   * Rows are JSON in which each value says its type. Queries with intervals fail, and multisets
   * look as arrays do. The parameter {@code format} of a request does not know it.
   */
  LOSSLESS_ADM("application/json;lossless-adm=true");

  private final String mediaType;

  ResultFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** What a request accepts. */
  String mediaType() {
    return mediaType;
  }
}
