package org.loam.workbench.console;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The commit that the sources of this build are at, as git says. */
public final class SourceCommit {
  private SourceCommit() {}

  /** The commit, with {@code -dirty} if files differ from it; null where git does not say. */
  public static @Nullable String find() {
    ProcessBuilder builder =
        new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
            .directory(new File(System.getProperty("loam.home", ".")))
            .redirectError(Redirect.DISCARD);
    try {
      Process git = builder.start();
      String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean ended = git.waitFor(10, TimeUnit.SECONDS);
      return ended && git.exitValue() == 0 && !text.isEmpty() ? text : null;
    } catch (IOException e) {
      // No git here.
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
