package org.loam.dashboard.source;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Whole answers by HTTP within a limit. The timeout of an {@link HttpRequest} ends when the headers
 * are there; a body that stalls after them would be waited for without end. Thread-safe.
 */
public final class HttpAnswer {
  private HttpAnswer() {}

  /**
   * Asks, and waits for the last byte of the answer.
   *
   * @param limit for all of it
   * @throws IOException if there is no whole answer within the limit; it is given up, and its
   *     connection is closed
   */
  public static HttpResponse<String> get(HttpClient client, URI address, Duration limit)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    try {
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("there is no whole answer within " + limit.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException why) {
        throw why;
      }
      throw new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }
}
