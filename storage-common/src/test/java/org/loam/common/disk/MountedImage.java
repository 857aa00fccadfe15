package org.loam.common.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An ext4 file system in a file, mounted through a loop device: a disk that may fill up or lose
 * power. Where it cannot be had, the test that wants it is skipped, with the reason.
 */
public final class MountedImage implements AutoCloseable {
  /** {@code EXT4_IOC_SHUTDOWN}, and its mode in which not even the journal is written. */
  private static final String SHUTDOWN =
      "import fcntl,os,struct,sys\n"
          + "d=os.open(sys.argv[1],os.O_RDONLY)\n"
          + "fcntl.ioctl(d,0x8004587D,struct.pack('I',2))\n";

  private final Path image;
  private final Path mount;

  private MountedImage(Path image, Path mount) {
    this.image = image;
    this.mount = mount;
  }

  /** Makes and mounts one, or skips the test. */
  public static MountedImage create(Path directory, long sizeBytes)
      throws IOException, InterruptedException {
    Path image = directory.resolve("image");
    Path mount = Files.createDirectory(directory.resolve("mount"));
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(sizeBytes);
    }
    require(run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString()));
    MountedImage mounted = new MountedImage(image, mount);
    require(mounted.mount());
    return mounted;
  }

  private static void require(String problem) {
    assumeTrue(problem.isEmpty(), "no file system of our own: " + problem);
  }

  /** Where its files are. */
  public Path path() {
    return mount;
  }

  /** Mounts it; returns what went wrong, or nothing. */
  public String mount() throws IOException, InterruptedException {
    return run("mount", "-o", "loop", image.toString(), mount.toString());
  }

  /** Unmounts it; returns what went wrong, or nothing. */
  public String unmount() throws IOException, InterruptedException {
    return run("umount", mount.toString());
  }

  /** As if the power had gone: what was not forced is lost. Returns what went wrong, or nothing. */
  public String shutDown() throws IOException, InterruptedException {
    return run("python3", "-c", SHUTDOWN, mount.toString());
  }

  private static String run(String... command) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] output = process.getInputStream().readAllBytes();
      int exitCode = process.waitFor();
      String text = new String(output, StandardCharsets.UTF_8).strip();
      return exitCode == 0 ? "" : List.of(command).get(0) + " exits with " + exitCode + ": " + text;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    String problem = unmount();
    if (!problem.isEmpty()) {
      throw new IOException(problem);
    }
  }
}
