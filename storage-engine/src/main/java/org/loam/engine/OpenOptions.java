package org.loam.engine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.engine.host.HostLog;
import org.loam.engine.open.Opening;
import org.loam.engine.report.EventListener;

/**
 * What an engine is given at open beside its settings. Immutable.
 *
 * @param listener is told of events; null for none
 * @param hostLog the log of the program that embeds the engine; null if the engine has its own
 * @param directories additional data directories, for trees that are created there
 */
public record OpenOptions(
    @Nullable EventListener listener, @Nullable HostLog hostLog, List<Path> directories) {
  /** No listener, a log of the engine's own, one directory. */
  public static final OpenOptions DEFAULT = new OpenOptions(null, null, List.of());

  public OpenOptions {
    directories = Arguments.requireAll(directories, "directories");
  }

  /** These options with a listener, which is told of events. */
  public OpenOptions withListener(EventListener told) {
    return new OpenOptions(Arguments.require(told, "listener"), hostLog, directories);
  }

  /**
   * These options for an engine below a host's log. A database is created with a host's log or
   * without, and stays so; {@code durability} does not count for it, nor do forced writes.
   */
  public OpenOptions withHostLog(HostLog log) {
    return new OpenOptions(listener, Arguments.require(log, "hostLog"), directories);
  }

  /**
   * These options with additional data directories, for example one on each device. One that is new
   * to the database must be empty, is created if it is not there, and gets a number, from 1 on in
   * the order in which they are named, which it keeps: later they may come in any order and by
   * other paths. Those that trees live in must be named at every open. {@link
   * TreeOptions#inDirectory} says where a tree is to live.
   */
  public OpenOptions withDirectories(List<Path> additional) {
    return new OpenOptions(listener, hostLog, additional);
  }

  /** These options for the opening. */
  Opening.Given given() {
    return new Opening.Given(listener, hostLog, directories);
  }
}
