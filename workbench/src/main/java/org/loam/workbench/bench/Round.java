package org.loam.workbench.bench;

import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.loam.workbench.console.BlockDevice;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Workload;

/**
 * All workloads on one engine: load (into a new database for each number of clients, the last one
 * stays), then everything else in the order of {@link Workload}, then a scan of the whole database
 * that finds exactly the records that were inserted.
 */
final class Round {
  /** Records that a first, unmeasured database is made of, so that the code is compiled. */
  private static final long REHEARSAL_RECORDS = 60_000;

  private static final long NOTABLE_MILLIS = 500;

  private final RoundSpec spec;
  private final StoreFactory factory;
  private final Population population;
  private final Listener listener;
  private final Surroundings surroundings;
  private long nextIndex;
  private long recordCount;
  private long engineBytes;
  private long writeMemoryBytes = -1;

  /**
   * What a round leaves.
   *
   * @param engineBytes that the engine says it wrote, in all its databases
   * @param writeMemoryBytes what it gave to writes after the last workload; -1 if it does not say
   */
  record Totals(long engineBytes, long writeMemoryBytes) {}

  /** What is done with an open store. */
  private interface Use {
    void of(Store store) throws InterruptedException;
  }

  /** Told what happens. */
  interface Listener {
    /** A phase begins. */
    void began(Workload workload, int threads);

    /** A phase has been measured. */
    void measured(Row row);

    /** Something that a reader of the figures should know. */
    void noted(String note);
  }

  /** What a round asks of the machine that it runs on; a test may answer for it. */
  interface Surroundings {
    /** As {@link BlockDevice#writtenBytes}. */
    default long deviceBytes(Path directory) {
      return BlockDevice.writtenBytes(directory);
    }

    /** As {@link Rest#await}. */
    default boolean rests(Measured engine, long quietMillis) {
      return Rest.await(engine, quietMillis);
    }
  }

  Round(RoundSpec spec, StoreFactory factory, Listener listener) {
    this(spec, factory, listener, new Surroundings() {});
  }

  Round(RoundSpec spec, StoreFactory factory, Listener listener, Surroundings surroundings) {
    this.surroundings = surroundings;
    this.spec = spec;
    this.factory = factory;
    this.population = Population.of(spec.data().records(), spec.data().valueBytes());
    this.listener = listener;
  }

  /**
   * Runs the round.
   *
   * @throws WrongAnswerException if the engine gave one
   */
  Totals run() throws InterruptedException {
    rehearse();
    Path directory = Path.of(spec.subject().directory(), "database");
    load(directory);
    boolean isSyncAsked = spec.workloads().contains(Workload.SYNC);
    open(
        spec.subject(),
        directory,
        spec.durability(),
        store -> {
          measureAll(store);
          if (!isSyncAsked) {
            finish(store);
          }
        });
    if (isSyncAsked) {
      open(
          spec.subject(),
          directory,
          Durability.SYNC,
          store -> {
            measure(store, Workload.SYNC, Workload.SYNC_THREADS);
            finish(store);
          });
    }
    WorkDirectory.delete(directory);
    return new Totals(engineBytes, writeMemoryBytes);
  }

  /** All workloads but those that open the database in another way. */
  private void measureAll(Store store) throws InterruptedException {
    for (Workload workload : spec.workloads()) {
      if (workload == Workload.LOAD || workload == Workload.SYNC) {
        continue;
      }
      for (int threads : spec.threadsOf(workload)) {
        measure(store, workload, threads);
      }
    }
  }

  private void finish(Store store) {
    noteWriteMemory(store);
    verifyAll(store);
  }

  private void noteWriteMemory(Store store) {
    Double bytes = store.sample().gauges().get(Sample.WRITE_MEMORY_TARGET_BYTES);
    writeMemoryBytes = bytes == null ? -1 : bytes.longValue();
  }

  private void rehearse() throws InterruptedException {
    Path directory = Path.of(spec.subject().directory(), "rehearsal");
    long records = Math.min(REHEARSAL_RECORDS, spec.data().records());
    Population few = Population.of(records, spec.data().valueBytes());
    InsertLog inserts = new InsertLog(0, spec.maxThreads());
    open(
        spec.subject(),
        directory,
        spec.durability(),
        store -> {
          phase(store, Workload.LOAD, few, inserts, spec.maxThreads()).runCount(records);
          for (Workload workload : List.of(Workload.READ, Workload.YCSB_A, Workload.SCAN)) {
            phase(store, workload, few, inserts, spec.maxThreads())
                .runFor(0, Math.min(500, spec.timing().warmupMillis()));
          }
        });
    WorkDirectory.delete(directory);
  }

  private void load(Path directory) throws InterruptedException {
    boolean isAsked = spec.workloads().contains(Workload.LOAD);
    List<Integer> loads = isAsked ? spec.threads() : List.of(spec.maxThreads());
    long records = spec.data().records();
    for (int threads : loads) {
      WorkDirectory.delete(directory);
      Subject subject = isAsked ? spec.subject() : spec.subject().untuned();
      open(subject, directory, spec.durability(), store -> load(store, threads, isAsked));
    }
    nextIndex = records;
    recordCount = records;
  }

  private void load(Store store, int threads, boolean isAsked) throws InterruptedException {
    InsertLog inserts = new InsertLog(0, threads);
    listener.began(Workload.LOAD, threads);
    long deviceBytes = deviceBytes();
    Phase.Outcome outcome =
        phase(store, Workload.LOAD, population, inserts, threads).runCount(spec.data().records());
    if (isAsked) {
      report(Workload.LOAD, threads, outcome, writtenBytes(Workload.LOAD, outcome, deviceBytes));
    }
  }

  private void measure(Store store, Workload workload, int threads) throws InterruptedException {
    listener.began(workload, threads);
    InsertLog inserts = new InsertLog(nextIndex, threads);
    long deviceBytes = deviceBytes();
    Phase.Outcome outcome =
        phase(store, workload, population, inserts, threads)
            .runFor(spec.timing().warmupMillis(), spec.timing().measureMillis(workload));
    nextIndex = inserts.end();
    recordCount += inserts.total();
    report(workload, threads, outcome, writtenBytes(workload, outcome, deviceBytes));
  }

  private long deviceBytes() {
    return surroundings.deviceBytes(Path.of(spec.subject().directory()));
  }

  /**
   * Bytes that a phase wrote. Of a process, the kernel counts whole folios; a forced write sends a
   * few of their blocks, so that of forced writes it is the device that counts.
   *
   * @param deviceBytesBefore of the device, before the phase
   */
  private long writtenBytes(Workload workload, Phase.Outcome outcome, long deviceBytesBefore) {
    boolean isForced = workload == Workload.SYNC || spec.durability() == Durability.SYNC;
    return isForced && deviceBytesBefore >= 0
        ? deviceBytes() - deviceBytesBefore
        : outcome.charge().usage().writtenBytes();
  }

  private void report(Workload workload, int threads, Phase.Outcome outcome, long writtenBytes) {
    if (!outcome.rested()) {
      listener.noted(workload.id() + ": still busy five minutes after the last operation");
    }
    Histogram latencies = outcome.window().latencies();
    long longestMillis = latencies.getMaxValue() / 1_000_000;
    if (longestMillis >= NOTABLE_MILLIS) {
      // Rare enough to be above the percentiles of a row, and still what a user would remember.
      listener.noted(
          workload.id()
              + ", "
              + threads
              + " threads: an operation took "
              + longestMillis
              + " ms"
              + outcome.longestWait().map(wait -> "; longest wait: " + wait).orElse(""));
    }
    listener.measured(
        new Row(
            workload.id(),
            spec.subject().peer().id(),
            threads,
            Row.Given.of(spec.data()),
            Figures.rounded(outcome.window().opsPerSecond()),
            Cost.of(outcome.charge(), writtenBytes, spec.data().recordBytes()),
            Latency.of(latencies),
            null));
  }

  private void verifyAll(Store store) {
    ScanCheck check = new ScanCheck(population);
    try (Store.Session session = store.session()) {
      byte[] first = Keys.newBuffer();
      Keys.write(0, first);
      check.beginAnywhere();
      long count = session.scan(first, Integer.MAX_VALUE, check);
      if (count != recordCount) {
        throw new WrongAnswerException(
            "a scan of everything shows " + count + " records, " + recordCount + " were inserted");
      }
    }
  }

  private Phase phase(
      Store store, Workload workload, Population records, InsertLog inserts, int threads) {
    Client.Factory clients =
        (number, random) ->
            new KvClient(workload, records, inserts, number, store.session(), random);
    return new Phase(
        store,
        workload.writes(),
        clients,
        threads,
        spec.seed() + threads,
        spec.timing().quietMillis());
  }

  /** Opens a store, uses it, and closes it, whatever happens. */
  private void open(Subject subject, Path directory, Durability durability, Use use)
      throws InterruptedException {
    StoreSettings settings =
        new StoreSettings(
            directory,
            spec.data().memoryBytes(),
            durability,
            spec.data().valueBytes(),
            1,
            0,
            subject.settings());
    try (Store store = factory.open(settings)) {
      // What opening sets off, as the flush of a replayed log, is not charged to the first phase.
      if (!surroundings.rests(store, spec.timing().quietMillis())) {
        String name = String.valueOf(directory.getFileName());
        listener.noted("opening of the " + name + ": still busy five minutes later");
      }
      use.of(store);
      engineBytes += store.bytesWritten();
    }
  }
}
