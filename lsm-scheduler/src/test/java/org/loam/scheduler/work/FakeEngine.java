package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.StorageException;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.ModelTree;
import org.loam.scheduler.merge.PlanCheck;
import org.loam.scheduler.merge.TreeShape;

/**
 * An engine of model trees: flushes and merges take simulated time and may fail. Bytes are entries.
 */
final class FakeEngine implements WorkSource, WorkListener {
  /** What a step may do besides: throw. */
  interface StepHook {
    void beforeStep(Operation operation, long quantumBytes);
  }

  /** A fault that was reported. */
  record Fault(String operation, StorageException cause, int treeId, long retryNanos) {}

  /**
   * Write memory of a tree.
   *
   * @param entries that it may have
   * @param bounds first keys of all of its ranges but the first one
   * @param isGuarded whether the tables of the tree are cut at guards
   */
  record Memory(int entries, List<Integer> bounds, boolean isGuarded) {}

  private static final int MAX_PENDING_FLUSHES = 2;

  final StorageEnv env;
  final Monitor monitor;
  final Random random;
  static final int LEVEL_RATIO = 3;

  /** For the gate: of a full L1 to the write memory of a tree. */
  int levelRatio = LEVEL_RATIO;

  final StallLog stalls = new StallLog(10);
  final List<Tree> trees = new ArrayList<>();
  final List<Fault> faults = new ArrayList<>();
  final List<Throwable> broken = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  StepHook hook = (operation, quantumBytes) -> {};

  /** Deletes files; tells whether some are left. */
  BooleanSupplier unusedFiles = () -> false;

  /** Runs in a look for a flush. */
  Runnable onTakeFlush = () -> {};

  /** What a flush leaves for the merge policy to know of scans. */
  DoubleSupplier flushedPerScan = () -> Double.POSITIVE_INFINITY;

  /** Looks at each new shape of a tree. */
  Consumer<TreeShape> onChange = shape -> {};

  /** Looks at each merge that begins, with the shape that the tree has then. */
  BiConsumer<TreeShape, MergePlan> onMerge = (shape, plan) -> {};

  long stepNanos = 1_000;
  WriteControl control = WriteControl.STOP;
  long writes;
  int begun;
  int done;
  int doneTold;
  int flushTold;
  int aborted;
  private int flushWorkers;
  @Nullable BackgroundWorkers workers;

  FakeEngine(StorageEnv env, long seed) {
    this.env = env;
    this.monitor = env.waiter().newMonitor("engine");
    this.random = new Random(seed);
  }

  Tree newTree(MergePolicy policy, ComponentConstraint constraint, int memoryEntries) {
    return newTree(policy, constraint, new Memory(memoryEntries, List.of(), false), memoryEntries);
  }

  /** A tree whose write memory may be divided into ranges, and its tables be cut at guards. */
  Tree newTree(
      MergePolicy policy, ComponentConstraint constraint, Memory memory, int tableEntries) {
    Tree tree = new Tree(trees.size(), policy, constraint, memory, tableEntries);
    trees.add(tree);
    return tree;
  }

  BackgroundWorkers start(RateLimiter limiter, BackgroundWorkers.Settings settings) {
    return start(new FairScheduler(), limiter, settings);
  }

  BackgroundWorkers start(
      MergeScheduler scheduler, RateLimiter limiter, BackgroundWorkers.Settings settings) {
    flushWorkers = settings.flushWorkers();
    workers = new BackgroundWorkers(env, this, scheduler, limiter, this, settings);
    workers.start();
    return workers;
  }

  private void signal() {
    if (workers != null) {
      workers.signal();
    }
  }

  @Override
  public @Nullable BackgroundOperation takeFlush(Set<Integer> resting) {
    onTakeFlush.run();
    monitor.lock();
    try {
      for (Tree tree : trees) {
        if (!tree.flushing && !tree.pending.isEmpty() && !resting.contains(tree.id)) {
          tree.flushing = true;
          return new Operation(tree, tree.pending.peek(), null);
        }
      }
      return null;
    } finally {
      monitor.unlock();
    }
  }

  @Override
  public long latestWrite() {
    monitor.lock();
    try {
      return writes;
    } finally {
      monitor.unlock();
    }
  }

  @Override
  public boolean deleteUnused() {
    return unusedFiles.getAsBoolean();
  }

  @Override
  public List<? extends MergeTree> mergeTrees() {
    return List.copyOf(trees);
  }

  @Override
  public void flushAdvanced() {
    flushTold++;
  }

  @Override
  public void operationDone(BackgroundOperation operation) {
    assertThat(((Operation) operation).ended).as("told before its end: " + operation).isTrue();
    checkEnded(operation);
    doneTold++;
  }

  @Override
  public void operationFailed(
      BackgroundOperation operation, StorageException cause, int treeId, long retryNanos) {
    checkEnded(operation);
    faults.add(new Fault(operation.toString(), cause, treeId, retryNanos));
  }

  /** The engine paces writers by the flushes that are left when it is told of an end. */
  private void checkEnded(BackgroundOperation operation) {
    if (operation.ioClass() == IoClass.FLUSH && workers != null) {
      assertThat(workers.flushProgress().flushes())
          .as("on its way after its end: " + operation)
          .isLessThan(flushWorkers);
    }
  }

  @Override
  public void broken(Throwable cause) {
    broken.add(cause);
  }

  private WriteControl.L0 l0(Tree tree, TreeShape shape) {
    return new WriteControl.L0(
        shape.l0Depth(), tree.policy.l0Due(shape), shape.l0Bytes(), shape.l0Fill(levelRatio));
  }

  /** While a tree has a pace, it must have a merge to be done that relieves it. */
  void checkPace(Tree tree) {
    monitor.lock();
    try {
      assertThat(
              tree.gate.paceBytesPerSecond() == WriteControl.UNLIMITED
                  || control.isDue(l0(tree, tree.model.shape(tree.memoryEntries))))
          .isTrue();
    } finally {
      monitor.unlock();
    }
  }

  /** A tree: its flushed part is a model, its memory a list of keys. */
  final class Tree implements MergeTree {
    final int id;
    final ModelTree model;
    final WriteGate gate;
    private int memoryEntries;
    final ArrayDeque<List<Integer>> pending = new ArrayDeque<>();
    private final MergePolicy policy;
    private final ComponentConstraint constraint;
    private final ModelMemory memory;
    private final boolean isGuarded;
    private final Guards.Fineness fineness;
    private boolean flushing;

    Tree(
        int id,
        MergePolicy policy,
        ComponentConstraint constraint,
        Memory memory,
        int tableEntries) {
      this.id = id;
      this.policy = policy;
      this.constraint = constraint;
      this.memoryEntries = memory.entries;
      this.memory = new ModelMemory(memory.bounds);
      this.isGuarded = memory.isGuarded;
      this.fineness = new Guards.Fineness(tableEntries, 1);
      this.model = new ModelTree(random, id, tableEntries);
      this.gate = new WriteGate(id, env, stalls);
    }

    /** Write memory becomes larger or smaller, as the tuner makes it. */
    void setMemory(int entries) {
      monitor.lock();
      try {
        memoryEntries = entries;
        updateGate();
      } finally {
        monitor.unlock();
      }
    }

    int memoryEntries() {
      return memoryEntries;
    }

    /** A write as a client makes it. */
    void put(int... keys) {
      assertThat(gate.pass(keys.length, WriteGate.NO_DEADLINE, WriteGateTest.MAY_WAIT)).isTrue();
      boolean frozen = false;
      monitor.lock();
      try {
        for (int key : keys) {
          frozen |= makeRoom();
          memory.add(key);
        }
        writes += keys.length;
      } finally {
        monitor.unlock();
      }
      if (frozen) {
        signal();
      }
    }

    /** Freezes something if memory is full. */
    private boolean makeRoom() {
      if (memory.size() < memoryEntries) {
        return false;
      }
      awaitRoom();
      if (memory.size() < memoryEntries) { // others have frozen it while this writer waited
        return false;
      }
      pending.add(memory.freeze());
      return true;
    }

    private void awaitRoom() {
      if (pending.size() < MAX_PENDING_FLUSHES) {
        return;
      }
      StallLog.Stall stall = stalls.begin(StallCause.WRITE_MEMORY_FULL, id, env.clock().nanoTime());
      while (pending.size() >= MAX_PENDING_FLUSHES && memory.size() >= memoryEntries) {
        monitor.await();
      }
      stall.end(env.clock().nanoTime());
    }

    /** Flushes keys at once, past the workers. */
    void flushNow(List<Integer> keys) {
      monitor.lock();
      try {
        model.flush(keys, 0, 1);
        updateGate();
      } finally {
        monitor.unlock();
      }
    }

    private void updateGate() {
      TreeShape shape = model.shape(memoryEntries);
      if (isGuarded) {
        model.cutAt(model.guards().fitted(shape, fineness, memory.lows()));
      }
      onChange.accept(shape);
      gate.update(constraint.violation(shape), control, l0(this, shape));
    }

    /** Of a tree that has no guards yet, a flush of keys from everywhere gives some. */
    private void cutFirst(List<Integer> keys) {
      if (isGuarded && memory.lows().isEmpty()) {
        IntFunction<List<byte[]>> divide =
            pieces ->
                IntStream.range(1, pieces)
                    .mapToObj(i -> ModelTree.bytes(keys.get(i * keys.size() / pieces)))
                    .toList();
        model.cutAt(
            model.guards().orOfFlush(model.shape(memoryEntries), keys.size(), fineness, divide));
      }
    }

    @Override
    public TreeShape shape() {
      monitor.lock();
      try {
        return model.shape(memoryEntries);
      } finally {
        monitor.unlock();
      }
    }

    @Override
    public MergePolicy mergePolicy() {
      return policy;
    }

    @Override
    public ComponentConstraint constraint() {
      return constraint;
    }

    @Override
    public @Nullable BackgroundOperation open(MergePlan plan) {
      monitor.lock();
      try {
        TreeShape shape = model.shape(memoryEntries);
        if (PlanCheck.objection(shape, plan) != null) {
          return null;
        }
        onMerge.accept(shape, plan);
        return new Operation(this, null, model.start(plan, shape));
      } finally {
        monitor.unlock();
      }
    }
  }

  /** A flush of keys, or a running merge. Verifies that it is driven as promised. */
  final class Operation implements BackgroundOperation {
    final Tree tree;
    private final @Nullable List<Integer> keys;
    final ModelTree.@Nullable Running merge;
    final long totalBytes;
    long transferredBytes;
    private boolean busy;
    private boolean ended;
    private boolean mustForce;

    private Operation(Tree tree, @Nullable List<Integer> keys, ModelTree.@Nullable Running merge) {
      this.tree = tree;
      this.keys = keys;
      this.merge = merge;
      this.totalBytes = keys != null ? keys.size() : 2 * merge.plan().inputBytes();
      begun++;
    }

    @Override
    public IoClass ioClass() {
      return keys != null
          ? IoClass.FLUSH
          : merge.plan().fromLevel() == 0 ? IoClass.L0 : IoClass.MERGE;
    }

    @Override
    public int treeId() {
      return tree.id;
    }

    @Override
    public long remainingInputBytes() {
      return (totalBytes - transferredBytes) / 2;
    }

    @Override
    public long transferredBytes() {
      return transferredBytes;
    }

    private void begin() {
      assertThat(busy).as("stepped by two threads at once: " + this).isFalse();
      assertThat(ended).as("touched after its end: " + this).isFalse();
      busy = true;
    }

    @Override
    public StepResult step(long quantumBytes) {
      begin();
      assertThat(mustForce).as("stepped without the force it asked for").isFalse();
      try {
        hook.beforeStep(this, quantumBytes);
        env.waiter().pause(stepNanos);
        transferredBytes = Math.min(totalBytes, transferredBytes + quantumBytes);
        if (transferredBytes < totalBytes) {
          mustForce = random.nextInt(4) == 0;
          return mustForce ? StepResult.NEEDS_FORCE : StepResult.MORE;
        }
        install();
        return StepResult.DONE;
      } finally {
        busy = false;
      }
    }

    private void install() {
      monitor.lock();
      try {
        if (keys != null) {
          tree.cutFirst(keys);
          tree.model.flush(keys, 0.1, 1);
          tree.model.scanned(flushedPerScan.getAsDouble());
          assertThat(tree.pending.remove()).isSameAs(keys);
          tree.flushing = false;
        } else {
          tree.model.finish(merge);
        }
        tree.updateGate();
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
      events.add("done " + this);
      done++;
      ended = true;
      signal();
    }

    @Override
    public void force() {
      begin();
      assertThat(mustForce).isTrue();
      mustForce = false;
      env.waiter().pause(stepNanos);
      busy = false;
    }

    @Override
    public void abort() {
      begin();
      monitor.lock();
      try {
        if (keys != null) {
          tree.flushing = false;
        } else {
          tree.model.abort(merge);
        }
      } finally {
        monitor.unlock();
      }
      events.add("aborted " + this);
      aborted++;
      ended = true;
    }

    @Override
    public String toString() {
      return keys != null ? "flush of tree " + tree.id : merge.plan().toString();
    }
  }
}
