package org.loam.workbench.asterixdb.differential;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A difference, and how to see it again.
 *
 * @param seed of its statements
 * @param difference what was answered
 * @param repeat a command that runs all statements of the seed
 * @param script a file with few statements that have a difference; null if a script was given
 */
public record Finding(
    @JsonProperty("seed") long seed,
    @JsonProperty("difference") Difference difference,
    @JsonProperty("repeat") String repeat,
    @JsonProperty("script") @Nullable String script) {}
