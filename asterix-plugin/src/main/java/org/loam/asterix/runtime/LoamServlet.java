package org.loam.asterix.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.concurrent.ConcurrentMap;
import org.apache.hyracks.http.api.IServletRequest;
import org.apache.hyracks.http.api.IServletResponse;
import org.apache.hyracks.http.server.AbstractServlet;
import org.apache.hyracks.http.server.utils.HttpUtil;
import org.loam.asterix.node.LoamNode;

/** What the node's engine holds and has done, as JSON: {@code GET /admin/loam}. */
public final class LoamServlet extends AbstractServlet {
  private static final String PATH = "/admin/loam";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LoamNode loam;

  /**
   * @param context of the server
   */
  public LoamServlet(ConcurrentMap<String, Object> context, LoamNode loam) {
    super(context, PATH);
    this.loam = loam;
  }

  @Override
  protected void get(IServletRequest request, IServletResponse response) throws IOException {
    HttpUtil.setContentType(response, HttpUtil.ContentType.APPLICATION_JSON, request);
    response.setStatus(HttpResponseStatus.OK);
    response.writer().write(JSON.writeValueAsString(loam.statistics()));
  }
}
