package org.loam.tuner.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.FileBytes;

/** Reads a history, also while an engine writes it. */
public final class HistoryReader {
  /** The last entry is in so many bytes; one has about 5 KiB. */
  private static final int TAIL_BYTES = 1 << 16;

  /**
   * What a history has.
   *
   * @param entries oldest first
   * @param brokenLines lines that are no entries: a process ended while it wrote them, or is
   *     writing
   */
  public record History(List<HistoryEntry> entries, int brokenLines) {
    public History {
      entries = List.copyOf(entries);
    }
  }

  private HistoryReader() {}

  /** Where the history of the engine of a directory is. */
  public static Path fileIn(Path directory) {
    return directory.resolve("tuner-history");
  }

  /**
   * Everything that is there; nothing if there is no history.
   *
   * @throws org.loam.common.error.StorageIoException if a file cannot be read
   */
  public static History read(StorageFiles files, Path path) {
    // In this order: a file that becomes the older one meanwhile is read twice, and not missed.
    List<String> newer = lines(files, path, Integer.MAX_VALUE);
    List<String> lines = new ArrayList<>(lines(files, HistoryLines.older(path), Integer.MAX_VALUE));
    boolean isReadTwice = !newer.isEmpty() && !lines.isEmpty() && newer.get(0).equals(lines.get(0));
    if (!isReadTwice) {
      lines.addAll(newer);
    }
    List<HistoryEntry> entries =
        lines.stream().map(HistoryLines::parse).filter(Objects::nonNull).toList();
    return new History(entries, lines.size() - entries.size());
  }

  /**
   * The newest entry that is whole; null if there is none at the end of the history.
   *
   * @throws org.loam.common.error.StorageIoException if a file cannot be read
   */
  public static @Nullable HistoryEntry last(StorageFiles files, Path path) {
    for (Path part : List.of(path, HistoryLines.older(path))) {
      List<String> lines = lines(files, part, TAIL_BYTES);
      for (int i = lines.size() - 1; i >= 0; i--) {
        HistoryEntry entry = HistoryLines.parse(lines.get(i));
        if (entry != null) {
          return entry;
        }
      }
    }
    return null;
  }

  /** The last lines of a file; the first of them may lack its beginning. */
  private static List<String> lines(StorageFiles files, Path path, int mostBytes) {
    if (!files.exists(path)) {
      return List.of();
    }
    try {
      byte[] bytes = FileBytes.last(files, path, mostBytes);
      return new String(bytes, UTF_8).lines().filter(line -> !line.isBlank()).toList();
    } catch (StorageIoException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        // It has become the older one just now.
        return List.of();
      }
      throw e;
    }
  }
}
