package org.loam.workbench.console;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far a task is, on standard error: a bar on a terminal, otherwise a plain line now and then.
 * The launcher knows whether standard error is a terminal and says so in {@code loam.terminal}.
 * Used by one thread at a time.
 */
public final class Progress implements AutoCloseable {
  private static final long LINE_EVERY_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int BAR_COLUMNS = 100;

  /** What is counted, and how many make one that is shown. */
  private enum Unit {
    PIECES("", 1, 0),
    RECORDS(" records", 1, 0),
    BYTES(" MiB", 1 << 20, 1);

    final String title;
    final long size;
    final String number;

    Unit(String title, long size, int digits) {
      this.title = title;
      this.size = size;
      this.number = "%,." + digits + "f";
    }

    String shown(double count) {
      return String.format(Locale.ROOT, number, count / size);
    }
  }

  private final PrintStream out;
  private final String task;
  private long total;
  private final Unit unit;
  private final @Nullable ProgressBar bar;
  private final long startNanos = System.nanoTime();
  private long done;
  private long lastLineNanos = startNanos;

  private Progress(PrintStream out, String task, long total, Unit unit, boolean terminal) {
    this.out = out;
    this.task = task;
    this.total = total;
    this.unit = unit;
    this.bar = terminal ? bar() : null;
  }

  private ProgressBar bar() {
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new ConsoleProgressBarConsumer(out, BAR_COLUMNS));
    return unit == Unit.PIECES
        ? builder.build()
        : builder.setUnit(unit.title, unit.size).showSpeed().build();
  }

  /** Begins a task of so many units. */
  public static Progress start(String task, long total) {
    return start(System.err, task, total, Boolean.getBoolean("loam.terminal"));
  }

  static Progress start(PrintStream out, String task, long total, boolean terminal) {
    return new Progress(out, task, total, Unit.PIECES, terminal);
  }

  /**
   * Begins a task of so many bytes, shown with their rate and the time that is left.
   *
   * @param total negative if it is not known
   */
  public static Progress startBytes(String task, long total) {
    return startBytes(System.err, task, total, Boolean.getBoolean("loam.terminal"));
  }

  static Progress startBytes(PrintStream out, String task, long total, boolean terminal) {
    return new Progress(out, task, total, Unit.BYTES, terminal);
  }

  /** Begins a task of about so many records, shown with their rate and the time that is left. */
  public static Progress startRecords(String task, long total) {
    return startRecords(System.err, task, total, Boolean.getBoolean("loam.terminal"));
  }

  static Progress startRecords(PrintStream out, String task, long total, boolean terminal) {
    return new Progress(out, task, total, Unit.RECORDS, terminal);
  }

  /** There are so many units in all, as one knows by now. */
  public void setTotal(long units) {
    total = units;
    if (bar != null) {
      bar.maxHint(units);
    }
  }

  /** One line that stays on the screen; not for use while a bar is shown. */
  public static void say(String line) {
    System.err.println(line);
  }

  /** What a reader of the results has to know. */
  public static void notes(List<String> notes) {
    notes.forEach(note -> say("note: " + note));
  }

  public void step(long units) {
    done += units;
    if (bar != null) {
      bar.stepBy(units);
      return;
    }
    long now = System.nanoTime();
    if (now - lastLineNanos >= LINE_EVERY_NANOS && (done < total || total < 0)) {
      lastLineNanos = now;
      out.println(unit == Unit.PIECES ? pieces() : measured((now - startNanos) / 1e9));
    }
  }

  private String pieces() {
    return task + ": " + done + " of " + total + " (" + done * 100 / Math.max(1, total) + " %)";
  }

  String measured(double seconds) {
    double rate = done / Math.max(1e-3, seconds);
    String speed = unit.shown(rate) + unit.title + "/s";
    if (total < 0) {
      return String.format(
          Locale.ROOT, "%s: %s%s, %s", task, unit.shown((double) done), unit.title, speed);
    }
    return String.format(
        Locale.ROOT,
        "%s: %s of %s%s (%d %%), %s, %.0f s left",
        task,
        unit.shown((double) done),
        unit.shown((double) total),
        unit.title,
        done * 100 / Math.max(1, total),
        speed,
        (total - done) / Math.max(1, rate));
  }

  /** What the task is doing now; shown beside the bar, or as a line. */
  public void detail(String text) {
    if (bar != null) {
      bar.setExtraMessage(" " + text);
    } else {
      lastLineNanos = System.nanoTime();
      out.println(task + " " + (done + 1) + "/" + total + ": " + text);
    }
  }

  /** Ends the task; for pieces, a plain line says how long it took. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    } else if (unit == Unit.PIECES) {
      long millis = Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
      out.printf(Locale.ROOT, "%s: %d of %d in %.1f s%n", task, done, total, millis / 1000.0);
    }
  }
}
