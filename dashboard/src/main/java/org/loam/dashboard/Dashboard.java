package org.loam.dashboard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.loam.dashboard.feed.Feed;
import org.loam.dashboard.feed.Sampler;
import org.loam.dashboard.http.PageServer;
import org.loam.dashboard.page.DashboardPage;
import org.loam.dashboard.source.EngineSource;
import org.loam.dashboard.source.Source;
import org.loam.engine.Engine;

/**
 * A page that shows what an engine does now, for as long as this is open. Thread-safe.
 *
 * <pre>{@code
 * try (Dashboard dashboard = Dashboard.serve(engine, DashboardOptions.DEFAULT)) {
 *   log(dashboard.address());
 *   ...
 * }
 * }</pre>
 *
 * <p>The engine is asked for its statistics once a second while at least one browser has the page
 * open, and not at all otherwise. The engine may be closed before the dashboard: the page says so.
 */
public final class Dashboard implements AutoCloseable {
  private final Source source;
  private final Sampler sampler;
  private final PageServer server;
  private final URI address;

  private Dashboard(Source source, Sampler sampler, PageServer server, URI address) {
    this.source = source;
    this.sampler = sampler;
    this.server = server;
    this.address = address;
  }

  /**
   * Serves the page of an engine of this program.
   *
   * @throws java.io.UncheckedIOException if the address or the port cannot be had
   */
  public static Dashboard serve(Engine engine, DashboardOptions options) {
    return serve(new EngineSource(engine), options);
  }

  /**
   * Serves the page of a source, which is closed with the dashboard.
   *
   * @throws IllegalArgumentException if the address has no such name
   * @throws java.io.UncheckedIOException if the address or the port cannot be had; the source is
   *     closed then, too
   */
  public static Dashboard serve(Source source, DashboardOptions options) {
    Sampler sampler = new Sampler(new Feed(source));
    try {
      InetAddress listen = options.address();
      PageServer server =
          new PageServer(
              new InetSocketAddress(listen, options.port()),
              options.token(),
              DashboardPage.html(),
              sampler);
      return new Dashboard(source, sampler, server, address(listen, server.port(), options));
    } catch (RuntimeException e) {
      sampler.close();
      source.close();
      throw e;
    }
  }

  private static URI address(InetAddress listen, int port, DashboardOptions options) {
    String host = listen.getHostAddress();
    String query = options.token() == null ? "" : "?token=" + options.token();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/" + query);
  }

  /** Where the page is, with the token if there is one. */
  public URI address() {
    return address;
  }

  /** Ends all connections, and asks the engine no more. */
  @Override
  public void close() {
    sampler.close();
    server.close();
    source.close();
  }
}
