package org.loam.it.planted;

import java.util.List;
import java.util.stream.Stream;
import org.loam.it.planted.PlantedBug.Suite;

/** The bugs of order and visibility between threads, which schedules must show. */
final class OrderBugs {
  private static final String LSM = "org.loam.lsm.";
  private static final String MEMORY = "org.loam.lsm.memory.";
  private static final String PACER = "org.loam.scheduler.work.Pacer";
  private static final String ENGINE = "org.loam.engine.";

  private OrderBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(
            writers(),
            singles(),
            turns(),
            moves(),
            versions(),
            swaps(),
            components(),
            groups(),
            fences(),
            datasets())
        .flatMap(List::stream)
        .toList();
  }

  private static List<PlantedBug> writers() {
    return List.of(
        of(
                Suite.WRITERS,
                "a search does not look whether its leaf still is the root",
                MEMORY + "InsertionPoints",
                "parents[i] == 0 ? tree.root() == leaf :",
                "parents[i] == 0 ? true :")
            .from(19),
        of(
            Suite.WRITERS,
            "a place found for a record is used although its leaf was split",
            MEMORY + "InsertionPoints",
            "&& Node.high(leaves[at]) == highs[at];",
            ";"),
        of(
            Suite.WRITERS,
            "a place found for a record is used although its leaf has changed",
            MEMORY + "InsertionPoints",
            "if (version == versions[at]) {",
            "if (version >= versions[at]) {"),
        of(
                Suite.MEMORY,
                "a search of memory does not validate the parent again",
                MEMORY + "RecordTree",
                "|| !Node.isUnchanged(node, version)) { return RETRY; } node = child;",
                ") { return RETRY; } node = child;")
            .from(648),
        of(
                Suite.MEMORY,
                "a scan of memory does not validate the parent again",
                MEMORY + "RecordTree",
                "|| !Node.isUnchanged(node, version)) { return false; } node = child;",
                ") { return false; } node = child;")
            .from(2218),
        of(
            Suite.MEMORY,
            "a leaf that changed while it was copied is used",
            MEMORY + "RecordTree",
            "copy.take(node, position); return Node.isUnchanged(node, version);",
            "copy.take(node, position); return true;"),
        of(
                Suite.WRITERS,
                "a new root shows before the old one is locked",
                MEMORY + "TreeWriter",
                "Node.lock(path[level]); }",
                "if (level > 0) { Node.lock(path[level]); } }")
            .and(
                MEMORY + "TreeWriter",
                "Node.unlock(path[level]); }",
                "if (level > 0) { Node.unlock(path[level]); } }")
            .from(57));
  }

  /** Of the way of a write of one key, which has no batch of its own. */
  private static List<PlantedBug> singles() {
    return List.of(
        of(
                Suite.PUTS,
                "a single write looks whether its component is active before it has the latch",
                ENGINE + "commit.Attempts",
                "latch.lock(); try { return append(own, batch, condition);",
                "if (!batch.isPrepared()) { return Outcome.RETRY; }"
                    + " latch.lock(); try { return append(own, batch, condition);")
            .and(
                ENGINE + "commit.Attempts",
                "batch.requireWritable(); if (!batch.isPrepared()) { return Outcome.RETRY; }",
                "batch.requireWritable();"),
        of(
                Suite.PUTS,
                "the applied end of a single write is published before its insert",
                ENGINE + "commit.Attempts",
                "batch.insert(lsn,",
                "if (batch.size() == 1) { latch.applied(log.endLsn()); } batch.insert(lsn,")
            .from(65),
        crowded(
            of(
                    Suite.PUTS,
                    "a single write gives its scratch back before its frame is appended",
                    ENGINE + "commit.Committer",
                    "one.write(tree, key, value);",
                    "one.write(tree, key, value); operations.exit(context);")
                .and(
                    ENGINE + "commit.Committer",
                    "one.clear(); } } finally { operations.exit(context); }",
                    "one.clear(); } } finally { operations.requireOpen(); }")),
        of(
            Suite.PUTS,
            "a single write is acknowledged up to an end that it has not reached",
            ENGINE + "commit.Committer",
            "if (outcome == Outcome.RETRY) { outcome = attempts.attempt(context, one, null); }"
                + " endLsn = one.endLsn();",
            "endLsn = one.endLsn(); if (outcome == Outcome.RETRY)"
                + " { outcome = attempts.attempt(context, one, null); }"));
  }

  /** All threads ask for the same slot first, as two of many do; that alone is no mistake. */
  private static PlantedBug crowded(PlantedBug bug) {
    return bug.and(
        "org.loam.common.mem.Epochs",
        "((Thread.currentThread().getId() * 0x9E3779B97F4A7C15L) >>> 40) & slotMask;",
        "0 & slotMask;");
  }

  private static List<PlantedBug> moves() {
    String arbiter = ENGINE + "memory.MemoryArbiter";
    String moves = ENGINE + "background.MemoryMoves";
    return List.of(
        of(
            Suite.MOVES,
            "write memory counts on pages that the cache has not given up",
            arbiter,
            "if (cache.excessPages() > 0) { return Progress.NEEDS_CACHE; } own += arriving;",
            "if (cache.excessPages() > arriving) { return Progress.NEEDS_CACHE; }"
                + " own += arriving;"),
        of(
            Suite.MOVES,
            "pages leave write memory while they are wanted",
            arbiter,
            "if (leaving > 0 && free() >= leaving && used() <= thresholdPages()) {",
            "if (leaving > 0) {"),
        of(
            Suite.MOVES,
            "what is to leave write memory goes back like a loan",
            arbiter,
            "int back = Math.min(lent, free());",
            "int back = Math.min(quota.targetPages() - own, free());"),
        of(
            Suite.MOVES,
            "a target is set after the thread that moves was woken",
            moves,
            "synchronized (this) { if (!counts.getAsBoolean()) { return false; }"
                + " arbiter.setTarget(writeBytes); } thread.wake();",
            "thread.wake(); synchronized (this) { if (!counts.getAsBoolean()) { return false; }"
                + " arbiter.setTarget(writeBytes); }"),
        of(
            Suite.MOVES,
            "trees are told of a move before it",
            moves,
            "if (move()) { writes.moved(); }",
            "writes.moved(); move();"),
        of(
            Suite.TARGETS,
            "a setting that states a target is read before the lock",
            moves,
            "synchronized (this) { long bytes = stated.getAsLong(); if (bytes == 0) {",
            "long bytes = stated.getAsLong(); synchronized (this) { if (bytes == 0) {"),
        of(
            Suite.TARGETS,
            "a decision of the tuner looks for a stated target before the lock",
            moves,
            "synchronized (this) { if (!counts.getAsBoolean()) {",
            "boolean isLeft = counts.getAsBoolean(); synchronized (this) { if (!isLeft) {"),
        of(
            Suite.MOVES,
            "a wake-up counts as used before the wait for one",
            "org.loam.common.env.WokenThread",
            "long left = nanos;",
            "long left = nanos; woken = false;"));
  }

  private static List<PlantedBug> turns() {
    return List.of(
        of(
            Suite.SLOTS,
            "a read leaves its slot before it has read",
            "org.loam.engine.read.TreeReader",
            "try { return read(context, tree, key, readLsn, intent); }"
                + " finally { operations.exit(context); }",
            "operations.exit(context); return read(context, tree, key, readLsn, intent);"),
        of(
            Suite.TURNS,
            "two writers get one turn",
            PACER,
            "if (next.compareAndSet(before, nowNanos + end)) {",
            "next.set(nowNanos + end); if (next != null) {"),
        of(
            Suite.TURNS,
            "a turn is taken after another look at the next one",
            PACER,
            "if (next.compareAndSet(before, nowNanos + end)) {",
            "if (next.compareAndSet(next.get(), nowNanos + end)) {"),
        of(
            Suite.TURNS,
            "a turn that is over is taken for good after idleness",
            PACER,
            "Math.max(before - nowNanos, -CREDIT_NANOS);",
            "before - nowNanos;"));
  }

  private static List<PlantedBug> versions() {
    return List.of(
        of(
            Suite.SNAPSHOTS,
            "the applied end is published before the insert",
            ENGINE + "commit.Attempts",
            "batch.insert(lsn,",
            "latch.applied(log.endLsn()); batch.insert(lsn,"),
        of(
            Suite.SNAPSHOTS,
            "a version shows before it is linked to the older ones",
            MEMORY + "TreeWriter",
            "boolean replaces = VersionChain.push(record, newest, retention);"
                + " Node.setRef(leaf, index, record);",
            "Node.setRef(leaf, index, record);"
                + " boolean replaces = VersionChain.push(record, newest, retention);"),
        of(
            Suite.VERSIONS,
            "a record shows before it has its LSN",
            MEMORY + "MemoryComponent",
            "MemoryRecord.setLsn(record, lsn);"
                + " count(writer.insert(record, retention, points, at), lsn);",
            "MemoryRecord.setLsn(record, 0); count(writer.insert(record, retention, points, at),"
                + " lsn); MemoryRecord.setLsn(record, lsn);"),
        rarely(
                Suite.VERSIONS,
                "a reader takes its LSN before it is counted",
                LSM + "visibility.ReadRegistry",
                "int slot = count;",
                "long early = currentReadLsn(); int slot = count;")
            .and(
                LSM + "visibility.ReadRegistry",
                "long readLsn = currentReadLsn();",
                "long readLsn = early;"),
        of(
            Suite.VERSIONS,
            "a version that was dropped is taken for none",
            LSM + "PointRead",
            "return found == MemoryComponent.NOT_VISIBLE ? MemoryComponent.ABSENT : found;",
            "return found < 0 ? MemoryComponent.ABSENT : found;"),
        of(
                Suite.VERSIONS,
                "the mark of a dropped version is not looked at",
                MEMORY + "VersionChain",
                "return (previous & GAP) != 0 ? DROPPED : at;",
                "return at;")
            .from(329));
  }

  private static List<PlantedBug> swaps() {
    return List.of(
        of(
            Suite.SWAPS,
            "compare-and-put notes the applied end after it has looked",
            ENGINE + "Tree",
            "long seenEnd = latch.appliedEnd(); long seenUndos = undos.count();"
                + " byte[] now = reader().read(lsm, key, Long.MAX_VALUE, ReadIntent.QUERY);",
            "long seenUndos = undos.count();"
                + " byte[] now = reader().read(lsm, key, Long.MAX_VALUE, ReadIntent.QUERY);"
                + " long seenEnd = latch.appliedEnd();"),
        of(
            Suite.UNDOS,
            "compare-and-put does not notice an undo",
            ENGINE + "Tree",
            "isUnchanged(record, seenEnd) && undos.count() == seenUndos",
            "isUnchanged(record, seenEnd)"),
        of(
                Suite.UNDOS,
                "an undo counts before the older value shows again",
                ENGINE + "commit.Undos",
                "MemoryComponent active = tree.active(key, keyLength);",
                "count.incrementAndGet(); MemoryComponent active = tree.active(key, keyLength);")
            .and(
                ENGINE + "commit.Undos",
                "} finally { count.incrementAndGet(); latch.unlock(); }",
                "} finally { latch.unlock(); }"),
        rarely(
                Suite.SWAPS,
                "a flush shows before its LSN counts as flushed",
                LSM + "Flushes",
                "tree.noteFlushed(maxLsn);",
                "")
            .and(
                LSM + "Flushes",
                "memory.retire(components.get(i), leaving[i]); }",
                "memory.retire(components.get(i), leaving[i]); } tree.noteFlushed(maxLsn);"),
        of(
            Suite.SWAPS,
            "compare-and-put does not ask what was flushed",
            ENGINE + "Tree",
            "&& lsm.flushedLsn() < sinceLsn;",
            ";"),
        of(
            Suite.SWAPS,
            "compare-and-put does not wait for what it saw instead",
            ENGINE + "Tree",
            "latch.awaitPublished(); return false;",
            "return false;"),
        of(
            Suite.SWAPS,
            "what was seen is taken for applied without the latch",
            ENGINE + "commit.CommitLatch",
            "underLatch(() -> end[0] = appliedEnd);",
            "end[0] = appliedEnd;"),
        of(
                Suite.SWAPS,
                "a record is inserted into a component that was frozen meanwhile",
                ENGINE + "commit.Attempts",
                "if (!batch.isPrepared()) { return Outcome.RETRY; }",
                "")
            .from(94));
  }

  private static List<PlantedBug> components() {
    return List.of(
        of(
                Suite.LOG,
                "the segments to force are listed before the end is noted",
                "org.loam.log.GroupCommit",
                "long endLsn = progress.endLsn(); List<LogSegment> segments = live.unforced();",
                "List<LogSegment> segments = live.unforced(); long endLsn = progress.endLsn();")
            .from(1586),
        of(
            Suite.CACHE,
            "a frame is pinned without another look at its page",
            "org.loam.cache.frame.FrameWords",
            "if (Mem.compareAndSetLong(word, state,"
                + " PIN + (keeps ? wanted(state) : used(state)))) {",
            "state = Mem.getLongVolatile(word);"
                + " if (Mem.compareAndSetLong(word, state,"
                + " PIN + (keeps ? wanted(state) : used(state)))) {"),
        of(
                Suite.COMPONENTS,
                "memory is released one epoch too early",
                "org.loam.common.mem.Epochs",
                "new Retired(moveOn(), release)",
                "new Retired(moveOn() - 1, release)")
            .from(17),
        rarely(
            Suite.COMPONENTS,
            "memory is released while readers are inside",
            LSM + "TreeServices",
            "memoryEpochs.retire( () -> { component.release(); returns.returned(bytes); });",
            "component.release(); returns.returned(bytes);"),
        of(
            Suite.COMPONENTS,
            "a scan goes on in the memory of an old version",
            LSM + "ScanMemory",
            "boolean isCopied = tree.version() == version && copy.getAsBoolean();",
            "boolean isCopied = copy.getAsBoolean();"),
        rarely(
            Suite.COMPONENTS,
            "a scan takes memory and disk of two versions",
            LSM + "ScanMemory",
            "TreeVersion version = tree.version();"
                + " DiskVersion disk = version.diskAt(scan.readLsn());",
            "DiskVersion disk = tree.version().diskAt(scan.readLsn());"
                + " TreeVersion version = tree.version();"),
        of(
            Suite.COMPONENTS,
            "a scan goes on in the tables of an old version",
            LSM + "ScanRuns",
            "boolean isKept = now == disk;",
            "boolean isKept = disk != null;"),
        rarely(
            Suite.COMPONENTS,
            "a point read goes to the tables of an old version",
            LSM + "PointRead",
            "if (tree.version() == version) {",
            "if (tree != null) {"),
        rarely(
            Suite.COMPONENTS,
            "tables are closed while readers are inside",
            LSM + "PointRead",
            "fileSlot = shared.fileEpochs().enter(); leaveMemory(memory);"
                + " if (tree.version() == version) {",
            "leaveMemory(memory); boolean same = tree.version() == version;"
                + " fileSlot = shared.fileEpochs().enter(); if (same) {"),
        of(
                Suite.COMPONENTS,
                "a frozen component is forgotten before its flush shows",
                LSM + "Flushes",
                "tree.changeVersion(v -> v.flushed(part.frozen, next));",
                "DiskVersion before = tree.version().disk;"
                    + " tree.changeVersion(v -> v.flushed(part.frozen, before));")
            .and(
                LSM + "Flushes",
                "memory.retire(components.get(i), leaving[i]); }",
                "memory.retire(components.get(i), leaving[i]); }"
                    + " tree.changeVersion(v -> v.withDisk(next));"));
  }

  /** Of trees that are flushed together. */
  private static List<PlantedBug> groups() {
    return List.of(
        of(
            Suite.GROUPS,
            "a group takes install locks in another order than a drop",
            LSM + "FlushGroup",
            "parts.sort(Comparator.comparingInt(Flushes.Part::treeId));",
            "parts.sort(Comparator.comparingInt(Flushes.Part::treeId).reversed());"),
        of(
                Suite.GROUPS,
                "a group looks whether a tree was dropped before it writes the tables",
                LSM + "Flushes",
                "private boolean installed;",
                "private boolean installed; private boolean gone;")
            .and(
                LSM + "Flushes",
                "tree.services().gate().awaitDurable(frozen.get(0).endLsn());",
                "gone = order.isDiscarded();"
                    + " tree.services().gate().awaitDurable(frozen.get(0).endLsn());")
            .and(LSM + "Flushes", "if (aborted || order.isDiscarded()) {", "if (gone) {"),
        of(
                Suite.GROUPS,
                "the truncation of a group is decided before the commit latch",
                ENGINE + "tree.Installer",
                "latch.underLatch( () -> {"
                    + " flushed.forEach(change -> changes.add(change.get()));"
                    + " min[0] = recovering == null ? firstNeededLsn(components) : 0; });",
                "min[0] = recovering == null ? firstNeededLsn(components) : 0;"
                    + " latch.underLatch( () -> {"
                    + " flushed.forEach(change -> changes.add(change.get())); });")
            .rare());
  }

  private static List<PlantedBug> fences() {
    return List.of(
        of(
            Suite.FENCES,
            "of two causes of a fence the later one counts",
            ENGINE + "commit.CommitLatch",
            "Throwable before = fence.compareAndExchange(null, fault);"
                + " Throwable cause = before == null ? fault : before;",
            "if (fence.get() == null) { fence.set(fault); } Throwable cause = fence.get();"),
        of(
            Suite.FENCES,
            "writers go on before the fence stands",
            ENGINE + "commit.CommitLatch",
            "Throwable before = fence.compareAndExchange(null, fault);",
            "releaseWriters.run(); Throwable before = fence.compareAndExchange(null, fault);"),
        of(
            Suite.FENCES,
            "a writer that waits does not ask whether the engine is fenced",
            ENGINE + "commit.Admission",
            "latch.requireNotFenced(); requireRoom.run();",
            "requireRoom.run();"),
        of(
                Suite.FENCES,
                "the log looks for a fault before it has a listener",
                "org.loam.log.LogFence",
                "listener = told; Throwable fault = cause;",
                "Throwable fault = cause; listener = told;")
            .from(733));
  }

  private static List<PlantedBug> datasets() {
    return List.of(
        of(
            Suite.DATASET,
            "key locks are kept after an exception",
            ENGINE + "dataset.DatasetWriter",
            "change(dataset, key, record, batch);"
                + " end = committer.applyAdmitted(batch, terms, deadline);"
                + " } finally { unlock(locks); }",
            "change(dataset, key, record, batch);"
                + " end = committer.applyAdmitted(batch, terms, deadline);"
                + " unlock(locks); } finally { dataset.counters(); }"),
        of(
            Suite.DATASET,
            "an insert that finds a record does not wait until it shows",
            ENGINE + "dataset.DatasetWriter",
            "writes.latch().awaitPublished();",
            ""),
        of(
            Suite.DATASET,
            "an insert looks for a record before it has the key's lock",
            ENGINE + "dataset.DatasetWriter",
            "try { lock(locks, terms, deadline); free = readOld(dataset, key) == null;",
            "try { free = readOld(dataset, key) == null; lock(locks, terms, deadline);"));
  }

  private static PlantedBug rarely(
      Suite suite, String name, String type, String right, String wrong) {
    return of(suite, name, type, right, wrong).rare();
  }

  private static PlantedBug of(Suite suite, String name, String type, String right, String wrong) {
    return PlantedBug.of(name, type, right, wrong).caughtBy(suite);
  }
}
