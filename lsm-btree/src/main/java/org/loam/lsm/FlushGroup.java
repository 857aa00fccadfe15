package org.loam.lsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.merge.FlushWrite;
import org.loam.lsm.merge.Rewriter;
import org.loam.scheduler.work.BackgroundOperation;

/**
 * Components that are flushed together: trees are offered one after the other, and a tree joins
 * with as many as fit of its oldest frozen components, which have no key in common. The tables of
 * all of them come into place by one edit of the manifest. For one thread, until the flush begins.
 */
public final class FlushGroup {
  /**
   * What a group may have. Its first component may be larger.
   *
   * @param components at most so many: their files are open at the same time
   * @param bytes of all components: a large one gains little by company, and the memory of a small
   *     one should not wait for it
   */
  public record Limits(int components, long bytes) {
    /**
     * 64 components, whose forces then take about as long as 4 MiB of writing; 8 MiB, of which a
     * disk that writes 100 MB/s takes 80 ms.
     */
    public static final Limits DEFAULT = new Limits(64, 8 << 20);

    /** The default, or fewer bytes. */
    public static Limits atMost(long bytes) {
      return new Limits(DEFAULT.components(), Math.min(DEFAULT.bytes(), bytes));
    }

    /** No company. */
    public static final Limits ALONE = new Limits(1, Long.MAX_VALUE);

    /**
     * Whether a component may join a group.
     *
     * @param members components of the group
     * @param memberBytes their memory
     * @param bytes memory of the component
     */
    public boolean admit(int members, long memberBytes, long bytes) {
      return members == 0 || (members < components && memberBytes + bytes <= this.bytes);
    }
  }

  private final Limits limits;
  private final List<Flushes.Part> parts = new ArrayList<>();
  private @Nullable FlushWrite write;
  private @Nullable ComponentInstaller installer;
  private boolean lacksBuffers;
  private int components;
  private long bytes;

  /** An empty group. */
  public FlushGroup(Limits limits) {
    this.limits = limits;
  }

  /** Opens the flush of what the first of some trees have frozen; null if none can be flushed. */
  public static @Nullable BackgroundOperation open(List<ComponentChanges> trees) {
    FlushGroup group = new FlushGroup(Limits.DEFAULT);
    for (ComponentChanges tree : trees) {
      if (group.isFull()) {
        break;
      }
      tree.joinFlush(group);
    }
    return group.operation();
  }

  /** Whether no further tree can join. */
  public boolean isFull() {
    return lacksBuffers || components >= limits.components() || bytes >= limits.bytes();
  }

  /** The flush of the components that have joined; null if there are none. */
  public @Nullable BackgroundOperation operation() {
    return parts.isEmpty() ? null : write;
  }

  /** Whether some components of a tree may join, at least one, which have so much memory. */
  boolean admits(int more, long moreBytes) {
    return !lacksBuffers && limits.admit(components + more - 1, bytes, moreBytes);
  }

  /** The flush that components are added to; null if there are no buffers for it. */
  @Nullable FlushWrite write(Rewriter rewriter, ComponentInstaller by) {
    if (write == null) {
      write = rewriter.flush(this::install);
      installer = by;
      lacksBuffers = write == null;
    }
    return write;
  }

  /** A component has joined. */
  void joined(Flushes.Part part) {
    parts.add(part);
    components += part.components().size();
    bytes += part.usedBytes();
  }

  // ---- The end of the flush.

  /** One edit of the manifest for all components. */
  static final class Edit {
    private final List<Supplier<ReplaceComponents>> changes = new ArrayList<>();
    private final List<MemoryComponent> flushed = new ArrayList<>();

    void add(Supplier<ReplaceComponents> change, List<MemoryComponent> components) {
      changes.add(change);
      flushed.addAll(components);
    }
  }

  private void install() {
    // By id, as a drop of several trees: so the two never wait for each other.
    parts.sort(Comparator.comparingInt(Flushes.Part::treeId));
    install(0, new Edit());
  }

  /** Takes the install locks one inside the other; the edit is made under all of them. */
  private void install(int from, Edit edit) {
    if (from < parts.size()) {
      parts.get(from).install(edit, () -> install(from + 1, edit));
    } else if (installer != null && !edit.changes.isEmpty()) {
      installer.install(edit.changes, edit.flushed);
    }
  }
}
