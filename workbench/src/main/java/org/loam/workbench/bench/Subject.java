package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.loam.workbench.peer.Peer;

/**
 * What is measured.
 *
 * @param peer the engine
 * @param directory for its databases, empty
 * @param settings of the engine that are not its defaults, by name
 */
public record Subject(
    @JsonProperty("peer") Peer peer,
    @JsonProperty("directory") String directory,
    @JsonProperty("settings") Map<String, String> settings) {}
