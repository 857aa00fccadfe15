package org.loam.asterix.runtime;

import java.util.Locale;
import java.util.Map;
import org.loam.asterix.node.NodeReport;
import org.loam.cache.AccessClass;
import org.loam.engine.EngineHealth;
import org.loam.engine.EngineStatistics;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** A node's report in Prometheus's text format, version 0.0.4. */
final class Metrics {
  private static final double NANOS = 1e9;

  private final StringBuilder text = new StringBuilder();
  private String name = "";

  private Metrics() {}

  static String text(NodeReport report) {
    Metrics metrics = new Metrics();
    metrics.version(report.version());
    metrics.health(report.health());
    metrics.memory(report.engine());
    metrics.work(report.engine());
    metrics.stalls(report.engine().stalls().totals());
    metrics.datasets(report);
    return metrics.text.toString();
  }

  // ---- The format.

  /** The samples from here on are of this metric. */
  private void metric(String metric, String type, String help) {
    name = "loam_" + metric;
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void gauge(String metric, String help) {
    metric(metric, "gauge", help);
  }

  private void counter(String metric, String help) {
    metric(metric, "counter", help);
  }

  private void sample(Object value) {
    text.append(name).append(' ').append(value).append('\n');
  }

  private void sample(String label, String labelValue, Object value) {
    text.append(name).append('{').append(label).append("=\"").append(escape(labelValue));
    text.append("\"} ").append(value).append('\n');
  }

  /** Names of datasets may have any character. */
  static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static int flag(boolean value) {
    return value ? 1 : 0;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  // ---- The parts of a report.

  private void version(String version) {
    gauge("info", "The version of Loam.");
    sample("version", version, 1);
  }

  private void health(EngineHealth health) {
    gauge("fenced", "1 if the engine takes no writes until the node is started again.");
    sample(flag(health.fence() != null));
    gauge("fault", "1 if the last work of a kind failed; it is tried again.");
    sample("work", "flush", flag(health.flushFault() != null));
    sample("work", "merge", flag(health.mergeFault() != null));
    gauge("disk_full", "1 if writes are refused until the disk has room.");
    for (EngineHealth.Disk disk : health.disks()) {
      sample("directory", disk.directory(), flag(disk.isFull()));
    }
    gauge("disk_free_bytes", "Free bytes of the file system of a data directory; -1 if unknown.");
    for (EngineHealth.Disk disk : health.disks()) {
      sample("directory", disk.directory(), disk.freeBytes());
    }
  }

  private void memory(EngineStatistics engine) {
    EngineStatistics.Memory memory = engine.memory();
    gauge("memory_total_bytes", "All memory outside of the Java heap.");
    sample(memory.totalBytes());
    gauge("memory_used_bytes", "Memory in use.");
    sample("use", "write", memory.writeUsedBytes());
    sample("use", "cache", memory.cacheUsedBytes());
    sample("use", "fixed", memory.fixedBytes());
    gauge("memory_target_bytes", "Memory that a use may take.");
    sample("use", "write", memory.writeTargetBytes());
    sample("use", "cache", memory.cacheTargetBytes());
    gauge(
        "write_memory_live_bytes",
        "Write memory in use that is neither an overwritten version nor the unused end of a page.");
    sample(memory.writeUse().liveBytes());
    gauge("write_memory_leaving_bytes", "Write memory in use that is on its way to disk.");
    sample(memory.writeUse().leavingBytes());
    gauge("tuner_target_bytes", "Write memory that there is to be; it moves there.");
    sample(memory.tuner().targetBytes());
    counter("ghost_hits_total", "Misses that a larger cache would have saved, by the reader.");
    memory
        .tuner()
        .ghostHits()
        .forEach((access, hits) -> sample("access", access.toLowerCase(Locale.ROOT), hits));
  }

  private void work(EngineStatistics engine) {
    counter("cache_hits_total", "Pages found in memory, by the reader.");
    for (Map.Entry<AccessClass, Long> hits : engine.cache().hits().entrySet()) {
      sample("access", lower(hits.getKey()), hits.getValue());
    }
    counter("cache_misses_total", "Pages read from disk, by the reader.");
    for (Map.Entry<AccessClass, Long> misses : engine.cache().misses().entrySet()) {
      sample("access", lower(misses.getKey()), misses.getValue());
    }
    counter("work_total", "Flushes, merges and bulk loads done.");
    sample("work", "flush", engine.work().flushes());
    sample("work", "merge", engine.work().merges());
    sample("work", "load", engine.work().loads());
    counter("work_written_bytes_total", "Bytes of tables written.");
    sample("work", "flush", engine.work().flushedBytes());
    sample("work", "merge", engine.work().mergedBytes());
    sample("work", "load", engine.work().loadedBytes());
    gauge("merges_open", "Merges that are going on.");
    sample(engine.work().openMerges());
    gauge("merges_open_bytes", "What open merges have still to read.");
    sample(engine.work().openMergeBytes());
  }

  private void stalls(Map<StallCause, StallLog.Totals> stalls) {
    counter("stalls_total", "Waits of writers, by cause; those that go on count.");
    stalls.forEach((cause, totals) -> sample("cause", lower(cause), totals.count()));
    counter("stall_seconds_total", "Time of waits of writers, by cause; those that go on count.");
    stalls.forEach((cause, totals) -> sample("cause", lower(cause), totals.nanos() / NANOS));
    gauge("stalls_active", "Writers that wait now, by cause.");
    stalls.forEach((cause, totals) -> sample("cause", lower(cause), totals.activeCount()));
  }

  private void datasets(NodeReport report) {
    gauge("dataset_disk_bytes", "Tables of a dataset with its indexes.");
    for (NodeReport.DatasetBytes dataset : report.datasets()) {
      sample("dataset", dataset.name(), dataset.diskBytes());
    }
    gauge("dataset_memory_bytes", "Write memory of a dataset with its indexes.");
    for (NodeReport.DatasetBytes dataset : report.datasets()) {
      sample("dataset", dataset.name(), dataset.memoryBytes());
    }
    gauge("dataset_entries", "Entries in tables, all versions and anti-matter counted.");
    for (NodeReport.DatasetBytes dataset : report.datasets()) {
      sample("dataset", dataset.name(), dataset.entries());
    }
  }
}
