package org.loam.dashboard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;

/** One connection, which has one request: for the page, or for the stream of events. */
final class RequestHandler extends SimpleChannelInboundHandler<HttpObject> {
  /** The page has its scripts and styles inside, and speaks with this server alone. */
  private static final String POLICY =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
          + " img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private final Site site;
  private boolean answered;

  RequestHandler(Site site) {
    this.site = site;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
    // What follows the first request is left unread.
    if (!answered && message instanceof HttpRequest request) {
      answered = true;
      answer(context, request);
    }
  }

  private void answer(ChannelHandlerContext context, HttpRequest request) {
    Gate.Refusal refusal = site.gate().refusal(request);
    if (refusal != null) {
      text(context, refusal.status(), refusal.text());
      return;
    }
    switch (new QueryStringDecoder(request.uri()).rawPath()) {
      case "/" -> send(context, HttpResponseStatus.OK, "text/html", site.page());
      case "/events" -> stream(context);
      default -> text(context, HttpResponseStatus.NOT_FOUND, "There is nothing here but /.");
    }
  }

  private void stream(ChannelHandlerContext context) {
    if (!site.hasRoom()) {
      text(
          context,
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "There are " + Streams.MOST + " browsers already, and no more are served.");
      return;
    }
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    headers(response, "text/event-stream");
    var unused = context.write(response, context.voidPromise());
    context.pipeline().remove(ReadTimeoutHandler.class);
    site.listen(context.channel());
  }

  private static void text(ChannelHandlerContext context, HttpResponseStatus status, String text) {
    send(context, status, "text/plain", (text + "\n").getBytes(UTF_8));
  }

  private static void send(
      ChannelHandlerContext context, HttpResponseStatus status, String type, byte[] body) {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    headers(response, type);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
      response.headers().set(HttpHeaderNames.ALLOW, "GET");
    }
    var unused = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  private static void headers(HttpResponse response, String type) {
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type + "; charset=utf-8")
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
        .set("Referrer-Policy", "no-referrer")
        .set("X-Content-Type-Options", "nosniff");
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    site.opened(context.channel());
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    site.closed(context.channel());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // The other side is gone, too slow with its request, or speaks something else.
    var unused = context.close();
  }
}
