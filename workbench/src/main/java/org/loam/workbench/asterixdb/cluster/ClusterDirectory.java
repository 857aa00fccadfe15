package org.loam.workbench.asterixdb.cluster;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Option;

/** Which cluster a command is about. */
public final class ClusterDirectory {
  @Option(
      names = "--directory",
      paramLabel = "<path>",
      description =
          "Directory of all files of the cluster: empty, new, or with a cluster in it."
              + " Default: .loam/asterixdb in the project.")
  private @Nullable Path directory;

  /** The cluster, running or not. */
  public AsterixCluster cluster() {
    Path chosen = directory == null ? WorkDirectory.home().resolve("asterixdb") : directory;
    return new AsterixCluster(chosen, Artifacts.ofThisClone());
  }

  /** As it was said, to be repeated after another command; empty if it was not. */
  public String option() {
    return directory == null ? "" : " --directory " + directory;
  }
}
