package org.loam.dashboard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.URI;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are refused. Without a token only those are let in whose {@code Host} is a name or
 * a number of loopback: so a page of another site, whose name was made to mean 127.0.0.1, gets
 * nothing. With one, each request must have it, and then the name does not matter.
 *
 * @param token null for none
 */
record Gate(@Nullable String token) {
  /** A number is no name that could be made to mean another address. */
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[(::|0:0:0:0:0:0:0:)1]");

  private static final String BEARER = "Bearer ";

  /**
   * An answer to a request that is not let in.
   *
   * @param text says what to do
   */
  record Refusal(HttpResponseStatus status, String text) {}

  /** Null if the request is let in. */
  @Nullable Refusal refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return new Refusal(HttpResponseStatus.BAD_REQUEST, "This is no request of HTTP.");
    }
    if (!HttpMethod.GET.equals(request.method())) {
      return new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "Nothing can be changed here.");
    }
    String host = request.headers().get(HttpHeaderNames.HOST, "");
    if (token == null && !LOOPBACK.matcher(withoutPort(host)).matches()) {
      return new Refusal(
          HttpResponseStatus.FORBIDDEN,
          "The name of this host must be localhost or 127.0.0.1; under another one a token is"
              + " needed.");
    }
    if (token != null && !isToken(token, request)) {
      return new Refusal(
          HttpResponseStatus.UNAUTHORIZED,
          "The token is missing or wrong: open the address that was printed, with ?token=...");
    }
    String origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin != null && !isOf(origin, host)) {
      return new Refusal(HttpResponseStatus.FORBIDDEN, "Pages of other sites get nothing here.");
    }
    return null;
  }

  private static String withoutPort(String host) {
    return host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
  }

  private static boolean isOf(String origin, String host) {
    try {
      return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isToken(String token, HttpRequest request) {
    String header = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
    String given =
        header.startsWith(BEARER) ? header.substring(BEARER.length()) : parameter(request.uri());
    return MessageDigest.isEqual(token.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static String parameter(String uri) {
    try {
      List<String> values = new QueryStringDecoder(uri).parameters().get("token");
      return values == null ? "" : values.get(0);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
