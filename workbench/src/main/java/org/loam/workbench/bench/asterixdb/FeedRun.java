package org.loam.workbench.bench.asterixdb;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.StatementClient;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.CommandException;

/**
 * Records through socket feeds, all feeds at once, until queries show all of them. One thread sends
 * to all sockets, which are on the nodes in turn.
 */
final class FeedRun {
  /** What is sent and not shown this long after has got lost. */
  private static final Duration SHOWN_LIMIT = Duration.ofMinutes(5);

  private static final Duration POLL = Duration.ofMillis(50);

  /** A feed has ended by itself. */
  private static final String NO_FEED_TO_STOP = "ASX3090";

  private final StatementClient client;
  private final BenchSchema schema;
  private final BenchRecords records;
  private final List<Integer> ports;
  private double senderShare;

  /**
   * A feed for each dataset of a schema.
   *
   * @param ports of the sockets, as many for each dataset
   */
  FeedRun(StatementClient client, BenchSchema schema, BenchRecords records, List<Integer> ports) {
    this.client = client;
    this.schema = schema;
    this.records = records;
    this.ports = ports;
  }

  private int perDataset() {
    return ports.size() / schema.datasets();
  }

  /** Starts feeds for datasets that are there. */
  void start() throws InterruptedException {
    List<Node> nodes = List.copyOf(Node.CONTROLLERS);
    for (int number = 0; number < schema.datasets(); number++) {
      List<String> sockets = new ArrayList<>();
      for (int i = number * perDataset(); i < (number + 1) * perDataset(); i++) {
        sockets.add(nodes.get(i % nodes.size()).id() + ":" + ports.get(i));
      }
      client.rows(schema.startFeed(number, sockets));
    }
  }

  /**
   * Sends all records.
   *
   * @param choice of the socket for the record of an index
   * @return nanoseconds until a query was asked that showed all
   */
  long send(IntUnaryOperator choice) throws InterruptedException {
    try (RecordSender sender = new RecordSender(ports)) {
      long startNanos = System.nanoTime();
      long startCpu = cpuNanos();
      sender.send(records, choice);
      senderShare = (double) (cpuNanos() - startCpu) / (System.nanoTime() - startNanos);
      return awaitAll(sender) - startNanos;
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** A count is a scan that holds the feeds up, so that it waits for the last of each socket. */
  private long awaitAll(RecordSender sender) throws InterruptedException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    for (int socket = 0; socket < ports.size(); socket++) {
      if (sender.sent(socket) > 0) {
        String last = schema.point(socket / perDataset(), sender.lastId(socket));
        while (client.rows(last).isEmpty()) {
          pause(deadline);
        }
      }
    }
    while (true) {
      long askedNanos = System.nanoTime();
      if (showsAll(sender)) {
        return askedNanos;
      }
      pause(deadline);
    }
  }

  private static void pause(long deadline) throws InterruptedException {
    if (System.nanoTime() > deadline) {
      throw CommandException.failed("queries do not show all records that feeds were sent");
    }
    Thread.sleep(POLL.toMillis());
  }

  private boolean showsAll(RecordSender sender) throws InterruptedException {
    boolean all = true;
    for (int number = 0; number < schema.datasets(); number++) {
      int sent = 0;
      for (int i = 0; i < perDataset(); i++) {
        sent += sender.sent(number * perDataset() + i);
      }
      int shown = client.rows(schema.count(number)).get(0).intValue();
      if (shown > sent) {
        throw new WrongAnswerException(
            "a dataset has " + shown + " records, of which " + sent + " were sent");
      }
      all &= shown == sent;
    }
    return all;
  }

  /** Stops the feeds. */
  void stop() throws InterruptedException {
    for (int number = 0; number < schema.datasets(); number++) {
      try {
        client.rows(schema.stopFeed(number));
      } catch (StatementException e) {
        if (!e.code().equals(NO_FEED_TO_STOP)) {
          throw e;
        }
      }
    }
  }

  /** Of the time that it sent, how much the sender computed: near 1 it was what limited. */
  double senderShare() {
    return senderShare;
  }
}
