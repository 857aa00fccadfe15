package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.latency.Latencies.Kind;

/**
 * How long operations of each kind took; null of a kind that there was none of.
 *
 * @param write latency of writes from their intended arrival
 * @param writeProcessing latency of writes from the moment at which a client took them up
 * @param read as write, of reads
 * @param readProcessing as writeProcessing, of reads
 */
public record KindPercentiles(
    @JsonProperty("write") @Nullable Percentiles write,
    @JsonProperty("writeProcessing") @Nullable Percentiles writeProcessing,
    @JsonProperty("read") @Nullable Percentiles read,
    @JsonProperty("readProcessing") @Nullable Percentiles readProcessing) {

  static KindPercentiles of(Function<Kind, Histogram> nanos) {
    return new KindPercentiles(
        Percentiles.of(nanos.apply(Kind.WRITE)),
        Percentiles.of(nanos.apply(Kind.WRITE_PROCESSING)),
        Percentiles.of(nanos.apply(Kind.READ)),
        Percentiles.of(nanos.apply(Kind.READ_PROCESSING)));
  }
}
