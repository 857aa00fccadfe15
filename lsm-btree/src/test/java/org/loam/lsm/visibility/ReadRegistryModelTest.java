package org.loam.lsm.visibility;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck's model checker tries small scenarios in many schedules: each must be one of a registry
 * used by one thread after the other. So no version is said to be needless that a reader, which is
 * registering at that moment, then asks for.
 */
@Tag("once")
@Param(name = "thread", gen = ThreadIdGen.class)
@Param(name = "lsn", gen = IntGen.class, conf = "0:2")
public class ReadRegistryModelTest {
  private static final int THREADS = 2;
  private static final long NONE = -1;

  private final AtomicLong published = new AtomicLong(1);
  private final ReadRegistry reads = new ReadRegistry(published::get);

  /** The read LSN of each thread, those before and after the others included. */
  private final long[] readLsns = {NONE, NONE, NONE, NONE};

  /** A write is published. */
  @Operation
  public void publish() {
    published.incrementAndGet();
  }

  /** A thread begins to read; returns its read LSN. */
  @Operation
  public long register(@Param(name = "thread") int thread) {
    if (readLsns[thread] == NONE) {
      readLsns[thread] = reads.register();
    }
    return readLsns[thread];
  }

  /** A thread ends what it reads. */
  @Operation
  public void release(@Param(name = "thread") int thread) {
    if (readLsns[thread] != NONE) {
      reads.release(readLsns[thread]);
      readLsns[thread] = NONE;
    }
  }

  /** Whether a version must stay beside the next. */
  @Operation
  public boolean needs(@Param(name = "lsn") int lsn) {
    return reads.needs(lsn, lsn + 1);
  }

  @Test
  void aRegistryIsOneThing() {
    new ModelCheckingOptions()
        .threads(THREADS)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(10)
        .invocationsPerIteration(100)
        .check(ReadRegistryModelTest.class);
  }
}
