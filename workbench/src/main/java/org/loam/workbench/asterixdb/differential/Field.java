package org.loam.workbench.asterixdb.differential;

/**
 * A field of the records of a dataset.
 *
 * @param path as expressions have it after the variable, {@code k0} or {@code pk.k0}
 * @param declared whether the type of the dataset has it
 * @param optional whether it may be null or missing
 */
record Field(String path, ValueType type, boolean declared, boolean optional) {
  /** Without the object that it is in. */
  String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** As the type of the dataset has it. */
  String declaration() {
    return name() + ": " + type.typeName() + (optional ? "?" : "");
  }

  /** As an index on it has it; an index has to be told the type that a declaration would tell. */
  String indexed() {
    return declared ? path : path + ": " + type.typeName() + "?";
  }

  /** As a query has it. */
  String of(String variable) {
    return variable + "." + path;
  }
}
