package org.loam.workbench.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why it failed, because a writer on top of it hides that. A program
 * that reads the output may end early, as {@code head} does; that is no failure.
 */
public final class StandardOutput extends OutputStream {
  private final OutputStream out;
  private @Nullable IOException failure;

  /** Standard output of this process. */
  public StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(OutputStream out) {
    this.out = out;
  }

  /** Why the output is not complete; null if it is, or if its reader did not want the rest. */
  public @Nullable IOException failure() {
    IOException e = failure;
    return e == null || String.valueOf(e.getMessage()).contains("Broken pipe") ? null : e;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (failure != null) {
      throw new IOException("output failed before", failure);
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
