package org.loam.common.env.real;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a directory writes into its lock file: a token that no other opening has, and
 * the process, so that another one on the same machine can see whether the owner still runs.
 *
 * @param pid of the owner
 * @param started when the owner started, so that a later process of that number is not mistaken for
 *     it
 * @param world in which the number means that process: the boot of the machine and the namespace
 * @param file device and inode of the lock file: a copy of the directory has a claim on another
 * @param token random
 */
record LockClaim(long pid, String started, String world, String file, String token) {
  private static final int MOST_BYTES = 4096;
  private static final int FIELDS = 5;
  private static final String UNKNOWN = "?";
  private static final int STATE_FIELD = 0;
  private static final int START_FIELD = 19;

  /** Whether the owner still runs. */
  enum Owner {
    ENDED,
    RUNS,
    /** It is on another machine, or where this process cannot see it. */
    OUT_OF_SIGHT
  }

  /** A new claim of this process. */
  static LockClaim own(String file) throws IOException {
    long pid = ProcessHandle.current().pid();
    String started = startOf(pid);
    return new LockClaim(
        pid,
        started == null ? UNKNOWN : started,
        thisWorld(),
        file,
        Long.toHexString(new SecureRandom().nextLong()));
  }

  /** The claim in a lock file; null if its owner has given it up, or has never made one. */
  static @Nullable LockClaim read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
    int count = 0;
    while (count >= 0 && bytes.hasRemaining()) {
      count = channel.read(bytes, bytes.position());
    }
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    String[] fields = text.strip().split(" ", -1);
    if (fields.length != FIELDS || !fields[0].matches("[0-9]{1,18}")) {
      return null;
    }
    return new LockClaim(Long.parseLong(fields[0]), fields[1], fields[2], fields[3], fields[4]);
  }

  /** Writes the claim, so that other machines see it, too. */
  void write(FileChannel channel) throws IOException {
    byte[] text = (toString() + "\n").getBytes(StandardCharsets.UTF_8);
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap(text);
    while (bytes.hasRemaining()) {
      channel.write(bytes, bytes.position());
    }
    channel.force(true);
  }

  /**
   * What has become of the process, as this one sees it.
   *
   * @param lockFile device and inode of the file that has the claim
   */
  Owner owner(String lockFile) throws IOException {
    if (world.equals(UNKNOWN) || !world.equals(thisWorld())) {
      return Owner.OUT_OF_SIGHT;
    }
    // This process has the lock now, so an engine of it that made the claim has ended.
    boolean ended =
        !file.equals(lockFile)
            || pid == ProcessHandle.current().pid()
            || !started.equals(startOf(pid));
    return ended ? Owner.ENDED : Owner.RUNS;
  }

  private static String thisWorld() throws IOException {
    Path boot = Path.of("/proc/sys/kernel/random/boot_id");
    Path namespace = Path.of("/proc/self/ns/pid");
    if (!Files.isReadable(boot) || !Files.isSymbolicLink(namespace)) {
      return UNKNOWN;
    }
    return Files.readString(boot).strip() + "/" + Files.readSymbolicLink(namespace);
  }

  /** When a process started, in ticks since the machine did; null if it does not run. */
  private static @Nullable String startOf(long pid) throws IOException {
    String stat;
    try {
      stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return null;
    }
    // Behind the name of the program, which may have blanks and parentheses.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    char state = fields[STATE_FIELD].charAt(0);
    return state == 'Z' || state == 'X' ? null : fields[START_FIELD];
  }

  @Override
  public String toString() {
    return pid + " " + started + " " + world + " " + file + " " + token;
  }
}
