package org.loam.workbench.bench.asterixdb;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.loam.workbench.asterixdb.cluster.FeedSocket;
import org.loam.workbench.console.CommandException;

/** Sends records to the sockets of feeds, each to the one of its choice. One thread. */
final class RecordSender implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final List<Socket> sockets = new ArrayList<>();
  private final List<OutputStream> streams = new ArrayList<>();
  private final int[] sent;
  private final long[] lastIds;

  /** Connects to all ports. */
  RecordSender(List<Integer> ports) throws InterruptedException {
    this.sent = new int[ports.size()];
    this.lastIds = new long[ports.size()];
    try {
      for (int port : ports) {
        Socket socket = FeedSocket.connect(port);
        sockets.add(socket);
        streams.add(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
      }
    } catch (IOException e) {
      close();
      throw CommandException.failed("a feed has closed its socket: " + e.getMessage());
    }
  }

  /**
   * Sends all records, and ends.
   *
   * @param choice of the socket for the record of an index; a feed that is behind keeps all waiting
   */
  void send(BenchRecords records, IntUnaryOperator choice) {
    try {
      for (int index = 0; index < records.count(); index++) {
        int socket = choice.applyAsInt(index);
        long id = records.id(index);
        streams.get(socket).write(records.line(id));
        sent[socket]++;
        lastIds[socket] = id;
      }
      for (OutputStream stream : streams) {
        stream.close();
      }
    } catch (IOException e) {
      throw CommandException.failed("a feed has closed its socket: " + e.getMessage());
    }
  }

  /** How many went to a socket. */
  int sent(int socket) {
    return sent[socket];
  }

  /** The id of the record that went to a socket last. */
  long lastId(int socket) {
    return lastIds[socket];
  }

  @Override
  public void close() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw CommandException.environment("cannot close the socket of a feed: " + e, e);
      }
    }
  }
}
