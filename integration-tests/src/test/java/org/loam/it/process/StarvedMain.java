package org.loam.it.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.StorageIoException;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.WriteOptions;

/**
 * A process that takes all of its file descriptors away from the engine, writes until a write is
 * given up, says why that was, gives the descriptors back and goes on writing.
 */
public final class StarvedMain {
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(2));
  private static final int VALUE_BYTES = 1000;

  /** Twenty times what the write memory takes. */
  private static final int MORE_KEYS = 20_000;

  private StarvedMain() {}

  public static void main(String[] arguments) throws IOException {
    long segmentBytes = Long.parseLong(arguments[1]);
    EngineConfig config =
        WriterMain.config(Durability.PROCESS).toBuilder()
            .logSegmentBytes(segmentBytes)
            .logMaxBytes(8 * segmentBytes)
            .build();
    try (Engine engine = Engine.open(Path.of(arguments[0]), config)) {
      Tree tree = engine.createTree("t");
      List<FileInputStream> eaten = new ArrayList<>(10_000);
      int written = writeUntilGivenUp(tree, eaten);
      for (FileInputStream file : eaten) {
        file.close();
      }
      for (int end = written + MORE_KEYS; written < end; written++) {
        putInTheEnd(tree, written);
      }
      engine.flush();
      for (int i = 0; i < written; i++) {
        if (tree.get(key(i)) == null) {
          throw new AssertionError("key " + i + " of " + written + " is lost");
        }
      }
      System.out.println("went on, " + engine.verify().isSound());
    }
    System.out.println("closed");
  }

  /** Takes all that are free now. */
  private static void eatDescriptors(List<FileInputStream> eaten) {
    while (true) {
      try {
        eaten.add(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        return;
      }
    }
  }

  /** Returns how many keys were acknowledged. */
  private static int writeUntilGivenUp(Tree tree, List<FileInputStream> eaten) {
    for (int i = 0; ; i++) {
      // Also what a thread of the engine had until now: with one left, there are log segments.
      eatDescriptors(eaten);
      try {
        put(tree, i, IN_TIME);
      } catch (DeadlineException | StorageIoException e) {
        System.out.println(e.getMessage());
        return i;
      }
    }
  }

  /** Until the log's next attempt to make a segment, writes may be told of the one that failed. */
  private static void putInTheEnd(Tree tree, int i) {
    while (true) {
      try {
        put(tree, i, WriteOptions.DEFAULT);
        return;
      } catch (StorageIoException e) {
        Thread.onSpinWait();
      }
    }
  }

  private static void put(Tree tree, int i, WriteOptions options) {
    tree.put(key(i), new byte[VALUE_BYTES], options);
  }

  private static byte[] key(int i) {
    return String.format("%08d", i).getBytes(US_ASCII);
  }
}
