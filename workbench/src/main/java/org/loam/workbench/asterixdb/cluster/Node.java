package org.loam.workbench.asterixdb.cluster;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The processes of a cluster; each is known by its identifier everywhere. */
public enum Node {
  /** The cluster controller: takes statements, compiles them, and has no data. */
  CC("org.apache.hyracks.control.cc.CCDriver", 0),

  /** A node controller: the first keeps the metadata beside its share of the data. */
  NC1("org.apache.hyracks.control.nc.NCDriver", 3),

  /** A node controller. */
  NC2("org.apache.hyracks.control.nc.NCDriver", 4);

  /** Those that have data. */
  public static final Set<Node> CONTROLLERS = EnumSet.range(NC1, NC2);

  private final String mainClass;
  private final int httpOffset;

  Node(String mainClass, int httpOffset) {
    this.mainClass = mainClass;
    this.httpOffset = httpOffset;
  }

  /** As AsterixDB and the command line have it: {@code cc}, {@code nc1}, {@code nc2}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  String mainClass() {
    return mainClass;
  }

  /** From the cluster's first port to that of the node's HTTP interface. */
  int httpOffset() {
    return httpOffset;
  }

  /** What the main class is told: a node controller wants to know its name. */
  List<String> arguments() {
    return this == CC ? List.of() : List.of("-node-id", id());
  }

  /** The name of the log file that AsterixDB chooses. */
  String logName() {
    return this == CC ? "cc.log" : "nc-" + id() + ".log";
  }
}
