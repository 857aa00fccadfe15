package org.loam.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are let in. */
class GateTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final Gate OPEN = new Gate(null);
  private static final Gate GUARDED = new Gate(TOKEN);

  private static HttpRequest get(String uri, String host) {
    return request(HttpMethod.GET, uri, host);
  }

  private static HttpRequest request(HttpMethod method, String uri, String host) {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, uri);
    request.headers().set("Host", host);
    return request;
  }

  private static int status(Gate gate, HttpRequest request) {
    Gate.Refusal refusal = gate.refusal(request);
    return refusal == null ? 200 : refusal.status().code();
  }

  /** The address of IPv6 is printed with all its zeros. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:80",
        "127.0.0.1",
        "127.0.0.1:7878",
        "[::1]",
        "[::1]:7878",
        "127.0.0.2:7878",
        "[0:0:0:0:0:0:0:1]:7878"
      })
  void namesOfLoopbackAreLetIn(String host) {
    assertThat(status(OPEN, get("/", host))).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "evil.example",
        "evil.example:7878",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "localhost.evil.example",
        "localhost:80:90",
        "[::2]",
        "127.evil.example",
        "1270.0.0.1",
        "127.0.0.1@evil.example"
      })
  void otherNamesAreRefused(String host) {
    assertThat(status(OPEN, get("/", host))).isEqualTo(403);
  }

  @Test
  void aRequestWithoutHostIsRefused() {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/");
    assertThat(status(OPEN, request)).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT"})
  void onlyGetIsLetIn(String method) {
    assertThat(status(OPEN, request(HttpMethod.valueOf(method), "/", "localhost"))).isEqualTo(405);
    assertThat(
            status(GUARDED, request(HttpMethod.valueOf(method), "/?token=" + TOKEN, "localhost")))
        .isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/events",
        "/?token=",
        "/?token=0123456789abcdeX",
        "/?tokens=0",
        "/?token=%zz",
        "/?token=wrong&token=0123456789abcdef"
      })
  void withATokenARequestWithoutItIsRefused(String uri) {
    assertThat(status(GUARDED, get(uri, "localhost"))).isEqualTo(401);
  }

  @Test
  void theTokenLetsInUnderAnyName() {
    assertThat(status(GUARDED, get("/?token=" + TOKEN, "10.0.0.1:7878"))).isEqualTo(200);
    assertThat(status(GUARDED, get("/events?a=b&token=" + TOKEN, "db.example"))).isEqualTo(200);
    HttpRequest bearer = get("/", "db.example");
    bearer.headers().set("Authorization", "Bearer " + TOKEN);
    assertThat(status(GUARDED, bearer)).isEqualTo(200);
    bearer.headers().set("Authorization", "Bearer wrong");
    assertThat(status(GUARDED, bearer)).isEqualTo(401);
  }

  @Test
  void pagesOfOtherSitesAreRefused() {
    HttpRequest request = get("/events", "localhost:7878");
    for (String other :
        new String[] {"http://evil.example", "http://localhost:7879", "null", "%"}) {
      request.headers().set("Origin", other);
      assertThat(status(OPEN, request)).as(other).isEqualTo(403);
    }
    request.headers().set("Origin", "http://localhost:7878");
    assertThat(status(OPEN, request)).isEqualTo(200);
  }

  @Test
  void whatIsNoHttpIsRefused() {
    HttpRequest request = get("/", "localhost");
    request.setDecoderResult(DecoderResult.failure(new IllegalStateException()));
    assertThat(status(OPEN, request)).isEqualTo(400);
  }
}
