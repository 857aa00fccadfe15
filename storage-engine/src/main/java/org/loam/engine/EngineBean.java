package org.loam.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.engine.EngineStatistics.MoveOutcome;
import org.loam.engine.EngineStatistics.Tuner;
import org.loam.engine.EngineStatistics.TunerDecision;
import org.loam.engine.report.CheckpointReport;
import org.loam.engine.report.FlushChoice;

/**
 * The bean of an open engine, from its registration to its close. Thread-safe. What it throws needs
 * no class of Loam's where it is caught: a client of JMX may have none.
 */
final class EngineBean implements EngineMXBean, AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(EngineBean.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double MIB = 1 << 20;

  private final Supplier<EngineStatistics> statistics;
  private final Supplier<EngineHealth> health;
  private final Supplier<List<FlushChoice>> flushes;
  private final BiFunction<String, String, SettingChange> configure;
  private final Function<Path, CheckpointReport> checkpoint;

  /** What it is registered by; null before and after. */
  private final AtomicReference<@Nullable ObjectName> name = new AtomicReference<>();

  private EngineBean(
      Supplier<EngineStatistics> statistics,
      Supplier<EngineHealth> health,
      Supplier<List<FlushChoice>> flushes,
      BiFunction<String, String, SettingChange> configure,
      Function<Path, CheckpointReport> checkpoint) {
    this.statistics = statistics;
    this.health = health;
    this.flushes = flushes;
    this.configure = configure;
    this.checkpoint = checkpoint;
  }

  /**
   * Registers the bean of an engine. No failure of it is one of the engine: it is logged.
   *
   * @param directory of the database
   * @param health what keeps the engine from its work
   * @param flushes the last choices of memory to flush
   * @param configure changes a setting
   * @param checkpoint makes a checkpoint in a directory
   */
  static EngineBean register(
      Path directory,
      Supplier<EngineStatistics> statistics,
      Supplier<EngineHealth> health,
      Supplier<List<FlushChoice>> flushes,
      BiFunction<String, String, SettingChange> configure,
      Function<Path, CheckpointReport> checkpoint) {
    EngineBean bean = new EngineBean(statistics, health, flushes, configure, checkpoint);
    Path path = directory.toAbsolutePath().normalize();
    try {
      ObjectName name =
          new ObjectName("org.loam:type=Engine,directory=" + ObjectName.quote(path.toString()));
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
      bean.name.set(name);
    } catch (JMException | RuntimeException | LinkageError e) {
      LOGGER.warn("JMX does not show the engine of {}: {}", path, e.toString());
    }
    return bean;
  }

  /** Takes the bean away; harmless if it is not there. */
  @Override
  public void close() {
    ObjectName registered = name.getAndSet(null);
    if (registered == null) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
    } catch (JMException | RuntimeException e) {
      LOGGER.warn("JMX goes on to show {}, which is closed: {}", registered, e.toString());
    }
  }

  private static <T> T read(Supplier<T> of) {
    try {
      return of.get();
    } catch (StorageException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new AssertionError("what a bean shows is always JSON: " + value, e);
    }
  }

  private Memory memory() {
    return read(statistics).memory();
  }

  @Override
  public String getStatistics() {
    return json(read(statistics));
  }

  @Override
  public String getHealth() {
    return json(read(health));
  }

  @Override
  public String getFlushChoices() {
    return json(read(flushes));
  }

  @Override
  public long getWriteMemoryBytes() {
    return memory().tuner().writeBytes();
  }

  @Override
  public long getWriteMemoryTargetBytes() {
    return memory().tuner().targetBytes();
  }

  @Override
  public long getCacheBytes() {
    return memory().cacheTargetBytes();
  }

  @Override
  public String getTunerMode() {
    return memory().tuner().mode();
  }

  @Override
  public String getLastDecision() {
    return lastDecision(memory().tuner());
  }

  /** The last decision in words, and what became of the last move. */
  static String lastDecision(Tuner tuner) {
    TunerDecision last = tuner.last();
    if (last == null) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "cycle %d: write memory of %.1f MiB %s; %s%s",
        last.cycle(),
        last.fromBytes() / MIB,
        last.toBytes() == last.fromBytes()
            ? "stays"
            : String.format(Locale.ROOT, "becomes %.1f MiB", last.toBytes() / MIB),
        last.meaning(),
        became(tuner.lastMove(), "PAGES".equals(tuner.unit())));
  }

  private static String became(@Nullable MoveOutcome move, boolean inPages) {
    if (move == null) {
      return "";
    }
    double unit = inPages ? 1 : 1e3;
    return String.format(
        Locale.ROOT,
        "; the last move was to save %.1f %s for an operation, and %s %.1f",
        move.predictedGain() / unit,
        inPages ? "pages" : "µs of the device",
        move.observedGain() < 0 ? "cost" : "saved",
        Math.abs(move.observedGain()) / unit);
  }

  @Override
  public String configure(String setting, String value) {
    return plainly(() -> setting + " is " + configure.apply(setting, value).effectiveValue());
  }

  @Override
  public String checkpoint(String target) {
    return plainly(() -> json(checkpoint.apply(absolute(target))));
  }

  /** A client cannot know where relative paths of this process begin. */
  private static Path absolute(String target) {
    Path path = Path.of(target);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("directory is " + target + ", must be an absolute path");
    }
    return path;
  }

  private static String plainly(Supplier<String> operation) {
    try {
      return operation.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage());
    } catch (DiskFullException | InUseException | StorageIoException e) {
      // The machine lacks something.
      throw new UncheckedIOException(e.getMessage(), new IOException(e.getMessage()));
    } catch (StorageException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }
}
