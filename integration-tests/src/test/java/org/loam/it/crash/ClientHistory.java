package org.loam.it.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one client wrote, batch by batch, so that its content after any of its batches is known.
 * Keys of other clients do not occur.
 */
final class ClientHistory {
  /** A write of a batch; a null value deletes. */
  record Change(String tree, String key, byte @Nullable [] value) {}

  /**
   * A batch.
   *
   * @param before of each client, the last batch that was acknowledged when this one began
   */
  record Batch(long number, List<Change> changes, long[] before) {}

  /** Content by tree. */
  private final Map<String, TreeMap<String, byte[]>> base = new TreeMap<>();

  private final Map<String, TreeMap<String, byte[]>> current = new TreeMap<>();
  private final List<Batch> batches = new ArrayList<>();
  private long baseNumber;

  /** Number of the last batch, acknowledged or not. */
  long lastNumber() {
    return baseNumber + batches.size();
  }

  void add(Batch batch) {
    batches.add(batch);
    apply(batch, current);
  }

  /** The last batch was refused: nothing of it is or ever will be there. */
  void refuseLast() {
    batches.remove(batches.size() - 1);
    current.clear();
    current.putAll(contentAt(lastNumber()));
  }

  /** The content of a tree after all batches. */
  NavigableMap<String, byte[]> content(String tree) {
    return current.computeIfAbsent(tree, t -> new TreeMap<>());
  }

  /** The content of all trees after all batches, to be kept. */
  Map<String, TreeMap<String, byte[]>> contentNow() {
    return copyOf(current);
  }

  /** The content of all trees after a batch. */
  Map<String, TreeMap<String, byte[]>> contentAt(long number) {
    Map<String, TreeMap<String, byte[]>> content = copyOf(base);
    for (Batch batch : batches) {
      if (batch.number() <= number) {
        apply(batch, content);
      }
    }
    return content;
  }

  /** The batch of a number; null if it was settled earlier. */
  @Nullable Batch batch(long number) {
    int index = (int) (number - baseNumber) - 1;
    return index >= 0 && index < batches.size() ? batches.get(index) : null;
  }

  /** Forgets everything after a batch, and how its content came about. */
  void settle(long number) {
    Map<String, TreeMap<String, byte[]>> content = contentAt(number);
    base.clear();
    base.putAll(content);
    batches.clear();
    baseNumber = number;
    current.clear();
    current.putAll(copyOf(base));
  }

  private static Map<String, TreeMap<String, byte[]>> copyOf(
      Map<String, TreeMap<String, byte[]>> content) {
    Map<String, TreeMap<String, byte[]>> copy = new TreeMap<>();
    content.forEach((tree, entries) -> copy.put(tree, new TreeMap<>(entries)));
    return copy;
  }

  private static void apply(Batch batch, Map<String, TreeMap<String, byte[]>> content) {
    for (Change c : batch.changes()) {
      TreeMap<String, byte[]> tree = content.computeIfAbsent(c.tree(), t -> new TreeMap<>());
      byte[] value = c.value();
      if (value == null) {
        tree.remove(c.key());
      } else {
        tree.put(c.key(), value);
      }
    }
  }
}
