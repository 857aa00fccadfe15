package org.loam.workbench.asterixdb.crash;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.loam.workbench.asterixdb.crash.CrashTarget.UnacknowledgedException;
import org.loam.workbench.console.CommandException;

/**
 * Cycle after cycle: clients write, one node or all of them die, sometimes once more while they
 * recover, and then everything that was acknowledged must be there, nothing twice, and the indexes
 * must agree with the records.
 *
 * <p>An acknowledgement counts if it came before the first node was killed. When a node dies in the
 * last step of a statement, in which its commit is forced, AsterixDB counts that step as done and
 * acknowledges the statement, on whatever storage ({@code JobExecutor.notifyNodeFailures}).
 */
public final class CrashCycles {
  /** Writers at once. */
  private static final int CLIENTS = 3;

  /** In one cycle of so many, nodes die again while they recover. */
  private static final int RECOVERY_CRASHES = 4;

  /** In one cycle of so many, all nodes die at once. */
  private static final int CRASHES_OF_ALL = 3;

  /** A statement that is not answered this long after its node died never will be. */
  private static final int ANSWER_SECONDS = 180;

  private final CrashTarget target;
  private final SplittableRandom random;
  private final List<CrashClient> clients = new ArrayList<>();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final Findings findings = new Findings();
  private int cycles;
  private int kills;
  private int recoveryCrashes;

  /**
   * @param target empty, and started
   */
  public CrashCycles(CrashTarget target, long seed) {
    this.target = target;
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new CrashClient(i, target, random.split(), stop::get));
    }
  }

  /**
   * Runs cycles until something is not as it must be.
   *
   * @param count how many
   * @param ended told after each
   */
  public void run(int count, Consumer<CrashReport> ended) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (String statement : CrashRecord.SCHEMA) {
        target.run(statement);
      }
      while (cycles < count && findings.isClean()) {
        cycle(threads);
        ended.accept(report());
      }
    } catch (UnacknowledgedException e) {
      throw CommandException.failed(
          "after " + cycles + " cycles a cluster that should work did not: " + e.getMessage());
    } finally {
      threads.shutdownNow();
    }
  }

  /** What was done and found so far. */
  public CrashReport report() {
    return new CrashReport(
        cycles,
        kills,
        recoveryCrashes,
        clients.stream().mapToLong(CrashClient::statements).sum(),
        clients.stream().mapToLong(CrashClient::records).sum(),
        findings);
  }

  private void cycle(ExecutorService threads) throws UnacknowledgedException, InterruptedException {
    stop.set(false);
    List<Future<Void>> running = new ArrayList<>();
    for (CrashClient client : clients) {
      running.add(
          threads.submit(
              () -> {
                client.run();
                return null;
              }));
    }
    target.letWork(random);
    stop.set(true);
    Set<String> victims = victims();
    target.kill(victims);
    kills += victims.size();
    if (random.nextInt(RECOVERY_CRASHES) == 0 && target.crashInRecovery(random)) {
      recoveryCrashes++;
    }
    target.start();
    for (Future<Void> client : running) {
      await(client);
    }
    for (CrashClient client : clients) {
      String refused = client.refused();
      if (refused != null) {
        findings.refused(refused);
      }
    }
    new CrashCheck(target, findings).run(clients);
    cycles++;
  }

  private Set<String> victims() {
    List<String> nodes = target.nodes();
    return random.nextInt(CRASHES_OF_ALL) == 0
        ? new LinkedHashSet<>(nodes)
        : Set.of(nodes.get(random.nextInt(nodes.size())));
  }

  private static void await(Future<Void> client) throws InterruptedException {
    try {
      client.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw CommandException.failed(
          "a statement was not answered within " + ANSWER_SECONDS + " s after a node had died");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
