package org.loam.log.recover;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles;

/**
 * A log to be looked at: as much as can be read of it, and what is damaged. Immutable.
 *
 * @param directory of the segments
 * @param fromLsn a recovery would read it from here; -1 if no manifest says so
 * @param endLsn where the log ends; -1 if that cannot be told for damage
 * @param end why it ends there
 * @param segments the segments that can be read, by sequence
 * @param unfinished files whose creation was interrupted; they hold nothing
 * @param frames its first frames
 * @param damage what is wrong, one sentence each
 */
public record LogDump(
    String directory,
    long fromLsn,
    long endLsn,
    String end,
    List<Segment> segments,
    List<String> unfinished,
    List<Frame> frames,
    List<String> damage) {
  /**
   * A segment file.
   *
   * @param file its name
   * @param use "live" if a recovery would read it, "free" if it waits to be used again, "unknown"
   *     if no manifest says so
   * @param sequence grows with every use of any segment
   * @param baseLsn LSN of its first byte
   * @param framesEndLsn where its whole frames end
   * @param sizeBytes size of the file
   * @param frames its whole frames
   * @param closedAtLsn where an earlier recovery ended the log in it, null if none did
   */
  public record Segment(
      String file,
      String use,
      long sequence,
      long baseLsn,
      long framesEndLsn,
      long sizeBytes,
      long frames,
      @Nullable Long closedAtLsn) {}

  /**
   * A frame.
   *
   * @param lsn its LSN
   * @param segment name of the file
   * @param offset in the file
   * @param type its type
   * @param payloadBytes length of the payload
   * @param durableUpTo exclusive end LSN known to be forced when it was appended
   * @param operations of a batch: how many for each tree id
   * @param text what any other frame says; empty for a batch
   */
  public record Frame(
      long lsn,
      String segment,
      long offset,
      String type,
      int payloadBytes,
      long durableUpTo,
      Map<Integer, Long> operations,
      String text) {}

  /**
   * What the manifest says of the log.
   *
   * @param databaseId of the database; null if it is not known
   * @param fromLsn truncation LSN; -1 if it is not known
   * @param durableLsn exclusive end LSN that is known to have been forced
   */
  public record Expected(@Nullable Long databaseId, long fromLsn, long durableLsn) {
    /** Of no manifest: all segments that there are, whether needed or not. */
    public static final Expected NOTHING = new Expected(null, -1, 0);
  }

  /**
   * Reads a log that no process writes. Changes nothing, and throws no exception for damage.
   *
   * @param maxFrames how many frames to list
   */
  public static LogDump read(
      StorageFiles files, Path directory, Expected expected, long maxFrames) {
    return new LogDumper(files, directory, expected, maxFrames).run();
  }

  /** The same, with damage of the manifest, which may be why this is not all of the log. */
  public LogDump withDamage(List<String> ofManifest) {
    List<String> all = Stream.concat(ofManifest.stream(), damage.stream()).toList();
    return new LogDump(directory, fromLsn, endLsn, end, segments, unfinished, frames, all);
  }
}
