package org.loam.workbench.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.engine.DatasetBatch;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.ExitCode;

/**
 * The child process that will be killed: ingests the spool and prints a line {@code writer batch}
 * for each batch, after the engine has acknowledged it and not before.
 */
final class IngestMain {
  private static final Logger LOG = LogManager.getLogger(IngestMain.class);

  private final DemoDatabase database;
  private final Spool spool;
  private final IngestPlan plan;
  private final int ingest;
  private final PrintStream acknowledgements;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private IngestMain(DemoDatabase database, Spool spool, int ingest, PrintStream acknowledgements) {
    this.database = database;
    this.spool = spool;
    this.plan = IngestPlan.of(spool.count());
    this.ingest = ingest;
    this.acknowledgements = acknowledgements;
  }

  /**
   * Arguments: directory of the database, file of the records, their shape, number of the ingest.
   * Every write is forced to disk, shared by the writers.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    PrintStream acknowledgements = System.out;
    System.setOut(System.err);
    ChildJvm.endWithParent();
    Throwable failure;
    try (Spool spool = Spool.open(Path.of(arguments[1]));
        DemoDatabase database =
            DemoDatabase.open(
                Path.of(arguments[0]), Durability.SYNC, Shape.valueOf(arguments[2]))) {
      int ingest = Integer.parseInt(arguments[3]);
      failure = new IngestMain(database, spool, ingest, acknowledgements).run();
    }
    if (failure != null) {
      LOG.error("the ingest failed", failure);
    }
    System.exit(failure == null ? ExitCode.OK : ExitCode.FAILED);
  }

  private @Nullable Throwable run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < plan.writers(); w++) {
      int writer = w;
      Thread thread = new Thread(() -> write(writer), "writer " + w);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return failure.get();
  }

  private void write(int writer) {
    try {
      DatasetBatch batch = new DatasetBatch();
      for (int b = 0; b < plan.batchCount(writer) && failure.get() == null; b++) {
        batch.clear();
        PrimitiveIterator.OfInt places = plan.places(writer, b).iterator();
        while (places.hasNext()) {
          byte[] source = spool.read(spool.shuffled(places.nextInt()));
          database.put(batch, DemoRecord.of(database.shape(), source).rewritten(ingest));
        }
        database.write(batch);
        acknowledge(writer, b);
      }
    } catch (IOException e) {
      failure.compareAndSet(null, new UncheckedIOException(e));
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** One write call per line, so that a kill never cuts one that was counted. */
  private void acknowledge(int writer, int batch) {
    byte[] line = (writer + " " + batch + "\n").getBytes(StandardCharsets.US_ASCII);
    synchronized (acknowledgements) {
      acknowledgements.write(line, 0, line.length);
      acknowledgements.flush();
    }
  }
}
