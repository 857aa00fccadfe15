/**
 * Memory components: what takes writes and keeps them in key order, and what to flush when memory
 * is short.
 *
 * <p>Read {@link MemoryComponent} first. Beneath it, from the outside in: {@code TreeWriter} (the
 * one writer) and {@code RecordTree} (what readers see) share nodes described by {@code Node}; a
 * leaf refers to the newest version of each key, {@code VersionChain} knows the older ones, {@link
 * MemoryRecord} the bytes of one version. {@code RecordArena} and {@code NodeArena} own the memory.
 * {@link MostPages} says how much of it a batch takes at most.
 *
 * <p>A component that takes no more writes may stay in memory as a {@link MemoryRun}. {@link
 * MemoryLeveling} says which runs are merged and which are flushed, {@link RunBuilder} makes one.
 * {@link MemoryPipeline} says it of a pipeline, {@link IndexMerge} makes one without a copy.
 *
 * <p>Invariant: within the life of a component no node and no record moves. A node stays what it is
 * until {@link MemoryComponent#release}; so does a record that bounds nodes, and one that a read
 * LSN needs. Another one that was superseded is a spare record when all readers have left that were
 * inside the memory epoch as it was unlinked ({@code SpareRecords}). So within an epoch an address
 * that was once right stays readable. Uses: read, common, the key ranges of merge policies.
 */
@NullMarked
package org.loam.lsm.memory;

import org.jspecify.annotations.NullMarked;
