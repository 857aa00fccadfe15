package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.loam.common.disk.MountedImage;
import org.loam.workbench.console.CommandException;

/**
 * A cluster for a test, of which the second node has some of its files on a small file system of
 * its own, next to a file that takes the room. Where such a file system cannot be had, the test is
 * skipped.
 */
final class SmallDiskCluster implements AutoCloseable {
  final TestCluster loam;

  private final MountedImage disk;

  /** One that does not run yet, with an empty disk. */
  SmallDiskCluster(Path directory, long diskBytes) throws IOException, InterruptedException {
    disk = MountedImage.create(directory, diskBytes);
    loam = new TestCluster(directory.resolve("cluster"));
  }

  /**
   * Starts it.
   *
   * @param option names the directory of the second node that is to be on the disk
   * @param edit changes the configuration of all nodes
   */
  void start(String option, UnaryOperator<String> edit) throws IOException, InterruptedException {
    String home = option + "=" + loam.files.home(Node.NC2);
    loam.start(text -> edit.apply(text.replace(home, option + "=" + path())));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    loam.close();
    disk.close();
  }

  /** The root of the disk. */
  Path path() {
    return disk.path();
  }

  // ---- Room on the disk.

  private Path ballast() {
    return path().resolve("ballast");
  }

  /** Leaves so much room on the disk. */
  void fill(int leftBytes) throws IOException {
    long free = Files.getFileStore(path()).getUsableSpace();
    Files.write(ballast(), new byte[(int) (free - leftBytes)]);
  }

  /** Leaves no room at all. */
  void fill() throws IOException {
    byte[] block = new byte[1 << 10];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      assertThatThrownBy(
              () -> {
                for (; ; ) {
                  out.write(block);
                }
              })
          .hasMessageContaining("No space left on device");
    }
  }

  /** Gives the room back. */
  void makeRoom() throws IOException {
    Files.delete(ballast());
  }

  // ---- The second node.

  /** Its start is refused with these words, in one line of what it says on standard error. */
  void requireRefused(String... words) throws IOException {
    assertThatThrownBy(() -> loam.start())
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("nc2 did not start: ")
        .hasMessageContainingAll(words);
    assertThat(Files.readAllLines(loam.files.output(Node.NC2)))
        .filteredOn(line -> line.startsWith("org.loam.asterix.runtime.StartException: "))
        .hasSize(1);
  }

  void requireRecords(String dataset, int records) throws InterruptedException {
    assertThat(loam.rows("SELECT VALUE COUNT(*) FROM " + dataset + ";"))
        .hasToString("[" + records + "]");
  }
}
