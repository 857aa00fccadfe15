package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one node.
 *
 * @param node its identifier
 * @param state {@code STOPPED}; {@code DEAD} if it was started, not stopped, and does not run;
 *     {@code UNKNOWN} while the controller does not answer; else what the controller believes
 * @param processId of the process that runs; null if none does
 * @param residentBytes memory of that process; null if none runs, or the system does not say
 */
public record NodeStatus(
    @JsonProperty("node") String node,
    @JsonProperty("state") String state,
    @JsonProperty("processId") @Nullable Long processId,
    @JsonProperty("residentBytes") @Nullable Long residentBytes) {}
