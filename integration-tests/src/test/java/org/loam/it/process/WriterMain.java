package org.loam.it.process;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.workbench.console.ChildJvm;

/**
 * A process that writes until it is killed, and tells each acknowledgement on its standard output:
 * {@code writer batch}. Says {@code opening} before it opens the database, and its directory and
 * its configuration are its arguments. Write memory grows and shrinks all the time.
 */
public final class WriterMain {
  /** After so many of a writer write memory moves to another size. */
  private static final int BATCHES_OF_A_SIZE = 40;

  private WriterMain() {}

  static EngineConfig config(Durability durability) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(durability)
        .writeInitialBytes(1 << 20)
        .logSegmentBytes(256 << 10)
        .logMaxBytes(2 << 20)
        .sstableBytes(256 << 10)
        .ioForceBytes(256 << 10)
        .l0MinMerge(2)
        .l0ScanFreeRatio(1)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }

  public static void main(String[] arguments) throws InterruptedException {
    ChildJvm.endWithParent();
    PrintStream out = System.out;
    out.println("opening");
    Engine engine = Engine.open(Path.of(arguments[0]), EngineConfig.fromYaml(arguments[1]));
    Tree tree =
        engine.hasTree(AckedHistory.TREE)
            ? engine.tree(AckedHistory.TREE)
            : engine.createTree(AckedHistory.TREE);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < AckedHistory.WRITERS; i++) {
      int writer = i;
      Thread thread = new Thread(() -> write(engine, tree, writer, out), "writer " + writer);
      thread.start();
      writers.add(thread);
    }
    for (Thread thread : writers) {
      thread.join();
    }
  }

  private static void write(Engine engine, Tree tree, int writer, PrintStream out) {
    for (long batch = AckedHistory.last(engine, writer) + 1; ; batch++) {
      engine.write(AckedHistory.batch(tree, writer, batch));
      if (batch % BATCHES_OF_A_SIZE == 0) {
        boolean grows = batch / BATCHES_OF_A_SIZE % 2 == 0;
        engine.configure("write.targetBytes", grows ? "8MiB" : "512KiB");
      }
      // One call for the whole line, so that lines of two writers do not mix.
      out.println(writer + " " + batch);
    }
  }
}
