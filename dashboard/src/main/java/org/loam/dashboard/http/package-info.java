/**
 * The server of the page: what it lets in, and the streams of events.
 *
 * <p>{@link org.loam.dashboard.http.PageServer} listens, {@code Gate} says which requests are
 * refused, {@code Streams} has the browsers that listen to events. All state is of one thread, that
 * of the server's event loop.
 *
 * <p>Invariants: what waits for a browser is bounded; a browser that is gone leaves nothing. Uses:
 * feed, Netty.
 */
@NullMarked
package org.loam.dashboard.http;

import org.jspecify.annotations.NullMarked;
