package org.loam.workbench.asterixdb.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.loam.workbench.console.CommandException;

/**
 * AsterixDB's jars, which Maven keeps in its local repository, and fetches if they are not there.
 * Poms of their own name them, so that no build of Loam needs them. A class path is kept below the
 * build directory until its pom changes or a jar is gone. Loam's jar is built when its sources are
 * newer.
 */
public final class Artifacts {
  /** The version that the poms ask for, for people. */
  public static final String VERSION = "0.9.8";

  private static final String POM = "asterix-plugin/cluster/pom.xml";
  private static final String SUITE_POM = "asterix-plugin/suite/pom.xml";

  private final ResolvedClassPath nodes;
  private final ResolvedClassPath suite;
  private final NodeJar nodeJar;

  /**
   * The jars that a clone of Loam names.
   *
   * @param root of the clone
   */
  public Artifacts(Path root) {
    Path state = root.resolve("workbench/target/asterixdb").toAbsolutePath().normalize();
    Path pom = root.resolve(POM);
    this.nodes =
        new ResolvedClassPath(
            List.of(pom),
            state,
            "AsterixDB "
                + VERSION
                + " (the first time it fetches 160 MB into its local repository)");
    this.suite =
        new ResolvedClassPath(
            List.of(root.resolve(SUITE_POM), pom),
            state.resolve("suite"),
            "AsterixDB " + VERSION + " with its own suite (the first time it fetches 200 MB)");
    this.nodeJar = new NodeJar(root);
  }

  /** The jars that the clone of this launcher names. */
  public static Artifacts ofThisClone() {
    return new Artifacts(Path.of(System.getProperty("loam.home", "")));
  }

  /**
   * The class path of a node. Clusters that start beside each other wait for one another here.
   *
   * @throws CommandException if there is no Maven, or it cannot get the jars or build one
   */
  synchronized String classPath(Storage storage) {
    String stock = classPath();
    return storage == Storage.STOCK ? stock : stock + File.pathSeparator + nodeJar.path();
  }

  /**
   * The jar by which nodes have Loam, built if sources are newer.
   *
   * @throws CommandException if Maven cannot build it
   */
  public Path nodeJar() {
    return nodeJar.path();
  }

  /** The class path of AsterixDB alone. */
  String classPath() {
    return nodes.get();
  }

  /**
   * The class path for a run of AsterixDB's own suite: its nodes, its tests, Loam, and the classes
   * of the runner.
   *
   * @throws CommandException as {@link #classPath(Storage)} does
   */
  public String suiteClassPath() {
    Path classes = nodeJar.testClasses();
    return String.join(
        File.pathSeparator, suite.get(), nodeJar.path().toString(), classes.toString());
  }
}
