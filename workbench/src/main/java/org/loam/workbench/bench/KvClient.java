package org.loam.workbench.bench;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.loam.workbench.peer.Store;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;
import org.loam.workbench.workload.Workload;

/** One thread's operations on a store. Allocates nothing per operation. */
public final class KvClient implements Client {
  private final Workload workload;
  private final Population population;
  private final InsertLog inserts;
  private final int thread;
  private final Store.Session session;
  private final SplittableRandom random;
  private final ScanCheck scanCheck;
  private final byte[] key = Keys.newBuffer();
  private final byte[] value;
  private long writes;

  /**
   * @param session closed with this client
   */
  public KvClient(
      Workload workload,
      Population population,
      InsertLog inserts,
      int thread,
      Store.Session session,
      SplittableRandom random) {
    this.workload = workload;
    this.population = population;
    this.inserts = inserts;
    this.thread = thread;
    this.session = session;
    this.random = random;
    this.scanCheck = new ScanCheck(population);
    this.value = new byte[population.values().lengthBytes()];
  }

  @Override
  public long writes() {
    return writes;
  }

  @Override
  public void step() {
    if (workload.readPercent() > 0 && random.nextInt(100) < workload.readPercent()) {
      read();
      return;
    }
    switch (workload.other()) {
      case UPDATE -> put(Keys.identity(chooseIndex()));
      case INSERT -> insert();
      case SCAN -> scan(Workload.MAX_SCAN_RECORDS);
      case READ_MODIFY_WRITE -> readModifyWrite();
      case SCAN_OR_UPDATE -> {
        if (random.nextInt(100) < Workload.WRITE_PERCENT) {
          put(Keys.identity(chooseIndex()));
        } else {
          scan(Workload.MAX_SCAN_RECORDS);
        }
      }
      case SCAN_OR_INSERT -> {
        if (random.nextInt(100) < Workload.WRITE_PERCENT) {
          insert();
        } else {
          scan(1 + random.nextInt(Workload.MAX_SCAN_RECORDS));
        }
      }
      case NONE -> throw new AssertionError(workload + " has nothing to do but read");
    }
  }

  @Override
  public void close() {
    session.close();
  }

  private void read() {
    if (workload.choice() == Workload.Choice.ABSENT) {
      readAbsent();
    } else {
      get(Keys.identity(chooseIndex()));
    }
  }

  private void readAbsent() {
    long index = Keys.FIRST_ABSENT_INDEX + random.nextLong(population.records());
    Keys.write(Keys.identity(index), key);
    int length = session.get(key, value);
    if (length != Store.ABSENT) {
      throw new WrongAnswerException(
          "key " + text(key) + " was never written, but has " + length + " bytes");
    }
  }

  private void get(long identity) {
    Keys.write(identity, key);
    int length = session.get(key, value);
    if (length == Store.ABSENT) {
      throw new WrongAnswerException("key " + text(key) + " was written, but is absent");
    }
    if (!population.values().isRight(identity, value, length)) {
      throw new WrongAnswerException(
          "key " + text(key) + " has a value that was never written (" + length + " bytes)");
    }
  }

  private void readModifyWrite() {
    long identity = Keys.identity(chooseIndex());
    get(identity);
    putVersion(identity, Values.version(value) + 1);
  }

  private void put(long identity) {
    putVersion(identity, random.nextLong());
  }

  private void putVersion(long identity, long version) {
    Keys.write(identity, key);
    population.values().write(identity, version, value);
    session.put(key, value);
    writes++;
  }

  private void insert() {
    put(Keys.identity(inserts.next(thread)));
    inserts.acknowledged(thread);
  }

  private void scan(int limit) {
    long start = Keys.identity(chooseIndex());
    Keys.write(start, key);
    scanCheck.begin(start);
    int count = session.scan(key, limit, scanCheck);
    boolean mayEnd = Long.compareUnsigned(start, population.lastFullScan()) > 0;
    scanCheck.end(count, limit, mayEnd);
  }

  private long chooseIndex() {
    return switch (workload.choice()) {
      case UNIFORM -> population.isSkewed() ? popular() : random.nextLong(population.records());
      case ZIPFIAN -> popular();
      case LATEST -> latest();
      case ABSENT, NONE -> throw new AssertionError(workload + " chooses no record");
    };
  }

  private long popular() {
    return population.scramble().index(population.zipfian().next(random));
  }

  /** The most popular record is the last one inserted; below the first insert come the loaded. */
  private long latest() {
    long index = inserts.limit() - 1 - population.zipfian().next(random);
    return index >= inserts.firstIndex()
        ? index
        : index - inserts.firstIndex() + population.records();
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }
}
