package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A case of the suite, as the runner describes it.
 *
 * @param group the outermost group that it is in
 * @param name of its directory and of the variants that it runs
 * @param directories of its statements, below the working directory
 */
public record SuiteCase(
    @JsonProperty("group") String group,
    @JsonProperty("name") String name,
    @JsonProperty("directories") List<String> directories) {}
