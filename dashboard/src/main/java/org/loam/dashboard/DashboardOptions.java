package org.loam.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where a dashboard listens, and what it asks of each request. Immutable.
 *
 * @param port of TCP; 0 for one that is free
 * @param listen name or number of the address; null for loopback
 * @param token that each request must have; null for none, which only loopback allows
 */
public record DashboardOptions(int port, @Nullable String listen, @Nullable String token) {
  /** Loopback, at a free port, without a token. */
  public static final DashboardOptions DEFAULT = new DashboardOptions(0, null, null);

  private static final int LEAST_TOKEN = 16;
  private static final int LAST_PORT = 65_535;

  /**
   * Checks all of it.
   *
   * @throws IllegalArgumentException if something is not allowed; says what to do
   */
  public DashboardOptions {
    if (port < 0 || port > LAST_PORT) {
      throw new IllegalArgumentException("port is " + port + ", must be in 0.." + LAST_PORT);
    }
    if (token != null && !token.matches("[A-Za-z0-9._~-]{" + LEAST_TOKEN + ",}")) {
      throw new IllegalArgumentException(
          "the token must have at least "
              + LEAST_TOKEN
              + " characters, which may be letters, digits and . _ ~ -");
    }
    if (token == null && listen != null && !address(listen).isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "listen is "
              + listen
              + ", which others reach, and there is no token; give a token, which each request"
              + " needs then, or leave the address out: the page is at 127.0.0.1 then, and ssh -L"
              + " brings it to another machine");
    }
  }

  /** These options at another port. */
  public DashboardOptions withPort(int other) {
    return new DashboardOptions(other, listen, token);
  }

  /**
   * These options at an address, which may be beyond this machine; each request needs the token.
   */
  public DashboardOptions withListen(String address, String needed) {
    return new DashboardOptions(port, address, needed);
  }

  /** These options, but each request needs a token. */
  public DashboardOptions withToken(String needed) {
    return new DashboardOptions(port, listen, needed);
  }

  /** Where to listen. */
  InetAddress address() {
    return listen == null ? InetAddress.getLoopbackAddress() : address(listen);
  }

  private static InetAddress address(String listen) {
    try {
      return InetAddress.getByName(listen);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "listen is " + listen + ", must be an address of this machine, such as 127.0.0.1", e);
    }
  }
}
