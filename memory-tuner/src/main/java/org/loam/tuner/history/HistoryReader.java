package org.loam.tuner.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;

/** Reads a history, also while an engine writes it. */
public final class HistoryReader {
  /** The last entry is in so many bytes; one has about 4 KiB. */
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
    List<HistoryEntry> entries = new ArrayList<>();
    int broken = 0;
    for (Path part : List.of(HistoryLines.older(path), path)) {
      for (String line : lines(files, part, Integer.MAX_VALUE)) {
        HistoryEntry entry = HistoryLines.parse(line);
        if (entry == null) {
          broken++;
        } else {
          entries.add(entry);
        }
      }
    }
    return new History(entries, broken);
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
    try (StorageFile file = files.open(path, Mode.READ)) {
      long size = file.sizeBytes();
      int length = (int) Math.min(size, mostBytes);
      long address = Mem.allocate(Math.max(1, length), 1, "history of the tuner");
      try {
        file.read(size - length, address, length);
        byte[] bytes = new byte[length];
        Mem.copyOut(address, bytes, 0, length);
        return new String(bytes, UTF_8).lines().filter(line -> !line.isBlank()).toList();
      } finally {
        Mem.free(address);
      }
    }
  }
}
