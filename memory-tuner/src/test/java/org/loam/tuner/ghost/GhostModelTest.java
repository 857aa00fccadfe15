package org.loam.tuner.ghost;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.loam.tuner.cost.ReadClass;

/**
 * Lincheck's model checker sees the arrays of a ghost cache, too: whatever two threads do to it is
 * what one thread could have done.
 */
@Param(name = "page", gen = IntGen.class, conf = "1:3")
public class GhostModelTest {
  private final GhostCache ghost = new GhostCache(2);

  /** A page leaves the buffer cache. */
  @Operation
  public void left(@Param(name = "page") int page) {
    ghost.left(page);
  }

  /** A page is missed, and stays. */
  @Operation
  public boolean missed(@Param(name = "page") int page) {
    return ghost.missed(page, ReadClass.QUERY, true);
  }

  /** A page is missed, and does not stay. */
  @Operation
  public boolean passed(@Param(name = "page") int page) {
    return ghost.missed(page, ReadClass.META, false);
  }

  /** Pages are deleted. */
  @Operation
  public void deleted(@Param(name = "page") int page) {
    ghost.deleted(page, page + 1L);
  }

  /** Reads saved so far. */
  @Operation
  public String saved() {
    return ghost.saved().toString();
  }

  @Test
  void aGhostCacheIsOneThing() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(25)
        .invocationsPerIteration(50)
        .check(GhostModelTest.class);
  }
}
