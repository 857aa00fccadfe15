package org.loam.engine.commit;

/**
 * The parts that keep room in write memory, for what works beside them.
 *
 * @param pages how much there is
 * @param room what batches need of it
 * @param trigger when some of it is flushed
 * @param freezer freezes what is flushed
 */
public record MemoryPath(
    WriteMemory pages, BatchRoom room, FlushTrigger trigger, Freezer freezer) {}
