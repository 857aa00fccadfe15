/**
 * The demonstration of feeds: real records come through a file's and through a socket's feed while
 * queries run, and a node is killed in between.
 *
 * <p>Read {@link org.loam.workbench.asterixdb.feed.FeedDemo} first, which goes through it step by
 * step. Uses: cluster, console, demo for the records.
 */
@NullMarked
package org.loam.workbench.asterixdb.feed;

import org.jspecify.annotations.NullMarked;
