package org.loam.workbench.bench.asterixdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;

class RecordSenderTest {
  private static final BenchRecords RECORDS = new BenchRecords(1000, false);

  private static ServerSocket feed() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static List<String> lines(ServerSocket feed) {
    try (Socket sender = feed.accept();
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(sender.getInputStream(), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void eachRecordGoesToTheSocketOfItsChoice() throws Exception {
    try (ServerSocket first = feed();
        ServerSocket second = feed()) {
      CompletableFuture<List<String>> few = CompletableFuture.supplyAsync(() -> lines(first));
      CompletableFuture<List<String>> many = CompletableFuture.supplyAsync(() -> lines(second));
      try (RecordSender sender =
          new RecordSender(List.of(first.getLocalPort(), second.getLocalPort()))) {
        sender.send(RECORDS, index -> index < 10 ? 0 : 1);
        assertThat(sender.sent(0)).isEqualTo(10);
        assertThat(sender.sent(1)).isEqualTo(990);
        assertThat(sender.lastId(0)).isEqualTo(RECORDS.id(9));
        assertThat(sender.lastId(1)).isEqualTo(RECORDS.id(999));
      }
      assertThat(few.get()).hasSize(10);
      assertThat(many.get())
          .hasSize(990)
          .allMatch(line -> RECORDS.isRight(Json.read(line, JsonNode.class)));
    }
  }

  @Test
  void aFeedThatGoesAwayIsAFailure() throws Exception {
    try (ServerSocket feed = feed();
        RecordSender sender = new RecordSender(List.of(feed.getLocalPort()))) {
      feed.accept().close();
      BenchRecords more = new BenchRecords(50_000, false);
      assertThatThrownBy(() -> sender.send(more, index -> 0))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("a feed has closed its socket");
    }
  }
}
