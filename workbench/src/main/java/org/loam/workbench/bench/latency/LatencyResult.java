package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Both phases of one engine.
 *
 * @param engine its name
 * @param testing the phase that finds the maximum
 * @param running the phase that offers a share of it
 * @param peakResidentBytes of the process, heap and native; -1 if unknown
 */
record LatencyResult(
    @JsonProperty("engine") String engine,
    @JsonProperty("testing") TestingResult testing,
    @JsonProperty("running") RunningResult running,
    @JsonProperty("peakResidentBytes") long peakResidentBytes) {}
