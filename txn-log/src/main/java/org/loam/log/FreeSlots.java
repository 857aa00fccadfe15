package org.loam.log;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.log.format.SegmentHeader;
import org.loam.log.recover.SegmentFile;

/**
 * The files that hold nothing needed: free ones, of which segments are made again, and others,
 * which are to be deleted. Decides which file is deleted next and deletes none itself. For one
 * thread at a time.
 */
final class FreeSlots {
  /**
   * A file of the configured size that may be overwritten.
   *
   * @param found as found at the start; null if this life of the log has written its header
   */
  record Slot(int number, Path path, @Nullable SegmentFile found) {}

  private final long segmentBytes;
  private final Deque<Slot> free = new ArrayDeque<>();

  /** Files of another size than the configured one, and leftovers. */
  private final Deque<Path> unwanted = new ArrayDeque<>();

  /** If the log has more files than this, free ones are deleted. */
  private int retainedSegments;

  FreeSlots(LogConfig config) {
    segmentBytes = config.segmentBytes();
    retainedSegments = config.retainedSegments();
  }

  /** Adds a file: a free one if its size is the configured one. */
  void add(Path path, SegmentHeader header, @Nullable SegmentFile found) {
    if (header.segmentBytes() == segmentBytes) {
      free.add(new Slot(header.slot(), path, found));
    } else {
      unwanted.add(path);
    }
  }

  /** Adds files of which no segment can be made. */
  void addUnwanted(List<Path> paths) {
    unwanted.addAll(paths);
  }

  /** Takes all files of which no segment can be made. */
  List<Path> takeUnwanted() {
    List<Path> taken = List.copyOf(unwanted);
    unwanted.clear();
    return taken;
  }

  /** Sets the number of files that the log keeps. */
  void retain(int segments) {
    retainedSegments = segments;
  }

  /** Whether no file is free. */
  boolean isEmpty() {
    return free.isEmpty();
  }

  /** Takes the file that has been free for the longest time; null if there is none. */
  @Nullable Slot poll() {
    return free.poll();
  }

  /** Gives back the file that {@link #poll} took. */
  void putBack(Slot slot) {
    free.addFirst(slot);
  }

  /**
   * Whether a file is to be deleted.
   *
   * @param others files of the log that are not free: segments in use and prepared ones
   */
  boolean hasSurplus(int others) {
    return !unwanted.isEmpty() || (!free.isEmpty() && others + free.size() > retainedSegments);
  }

  /** Takes the file to delete, if {@link #hasSurplus}. */
  Path takeSurplus() {
    return unwanted.isEmpty() ? free.removeLast().path() : unwanted.remove();
  }
}
