package org.loam.asterix.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.concurrent.ConcurrentMap;
import org.apache.hyracks.http.api.IServletRequest;
import org.apache.hyracks.http.api.IServletResponse;
import org.apache.hyracks.http.server.AbstractServlet;
import org.apache.hyracks.http.server.utils.HttpUtil;
import org.jspecify.annotations.Nullable;
import org.loam.asterix.node.LoamNode;
import org.loam.asterix.node.NodeReport;
import org.loam.engine.SettingChange;

/**
 * What the node's engine holds and has done, and what keeps it from its work. Where the statistics
 * are, a POST changes a live setting.
 */
public final class LoamServlet extends AbstractServlet {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LoamNode loam;
  private final Format format;

  /** How it is written, and where it is asked for. */
  public enum Format {
    /** {@code GET /admin/loam}, and {@code POST} with {@code name} and {@code value}. */
    JSON("/admin/loam", HttpUtil.ContentType.APPLICATION_JSON + "; charset=utf-8"),

    /** {@code GET /admin/loam/metrics}: as Prometheus reads it. */
    METRICS("/admin/loam/metrics", "text/plain; version=0.0.4; charset=utf-8"),

    /** {@code GET /admin/loam/flushes}: the last choices of memory to flush. */
    FLUSHES("/admin/loam/flushes", HttpUtil.ContentType.APPLICATION_JSON + "; charset=utf-8");

    private final String path;
    private final String contentType;

    Format(String path, String contentType) {
      this.path = path;
      this.contentType = contentType;
    }
  }

  /**
   * @param context of the server
   */
  public LoamServlet(ConcurrentMap<String, Object> context, LoamNode loam, Format format) {
    super(context, format.path);
    this.loam = loam;
    this.format = format;
  }

  @Override
  protected void get(IServletRequest request, IServletResponse response) throws IOException {
    answer(response, HttpResponseStatus.OK, text());
  }

  /** Changes a live setting until the node ends; refusals are told with their reasons. */
  @Override
  protected void post(IServletRequest request, IServletResponse response) throws IOException {
    if (format != Format.JSON) {
      methodNotAllowed(HttpMethod.POST, response);
      return;
    }
    Reply reply = change(loam, request.getParameter("name"), request.getParameter("value"));
    answer(
        response,
        reply.isChanged() ? HttpResponseStatus.OK : HttpResponseStatus.BAD_REQUEST,
        reply.text());
  }

  /**
   * What a request for a change is answered with.
   *
   * @param isChanged false if it was refused
   * @param text JSON
   */
  record Reply(boolean isChanged, String text) {}

  /**
   * Changes a live setting, or says why not.
   *
   * @param name null if the request has none, like the value
   */
  static Reply change(LoamNode loam, @Nullable String name, @Nullable String value)
      throws IOException {
    if (name == null || value == null) {
      return refusal("name and value of a setting are needed");
    }
    try {
      SettingChange change = loam.configure(name, value);
      return new Reply(true, JSON.writeValueAsString(change));
    } catch (IllegalArgumentException e) {
      return refusal(String.valueOf(e.getMessage()));
    }
  }

  private static Reply refusal(String reason) {
    return new Reply(false, JSON.createObjectNode().put("error", reason).toString());
  }

  private void answer(IServletResponse response, HttpResponseStatus status, String text)
      throws IOException {
    HttpUtil.setContentType(response, format.contentType);
    response.setStatus(status);
    response.writer().write(text);
  }

  private String text() throws IOException {
    return switch (format) {
      case JSON -> JSON.writeValueAsString(json(loam.report()));
      case METRICS -> Metrics.text(loam.report());
      case FLUSHES -> JSON.writeValueAsString(loam.flushChoices());
    };
  }

  /** The statistics of the engine with AsterixDB's datasets in the place of Loam's. */
  static ObjectNode json(NodeReport report) {
    ObjectNode json = JSON.createObjectNode();
    json.put("version", report.version());
    json.set("health", JSON.valueToTree(report.health()));
    json.setAll(JSON.<ObjectNode>valueToTree(report.engine()));
    json.set("datasets", JSON.valueToTree(report.datasets()));
    return json;
  }
}
