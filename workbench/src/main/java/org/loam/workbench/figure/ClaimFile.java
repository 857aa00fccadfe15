package org.loam.workbench.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a paper says about a figure, and how each statement is checked: a YAML file among the
 * resources of this package.
 *
 * @param title of the figure
 * @param paper where it stands
 * @param compared what Loam compares in its place, and how that differs from the paper
 * @param leftOut series of the paper that Loam lacks
 * @param claims in the paper's words
 */
record ClaimFile(
    @JsonProperty(value = "title", required = true) String title,
    @JsonProperty(value = "paper", required = true) String paper,
    @JsonProperty(value = "compared", required = true) String compared,
    @JsonProperty(value = "leftOut", required = true) List<LeftOut> leftOut,
    @JsonProperty(value = "claims", required = true) List<Claim> claims) {
  private static final YAMLMapper MAPPER = new YAMLMapper();

  /**
   * A series that is not measured.
   *
   * @param series its name in the paper
   * @param reason why Loam has none
   */
  record LeftOut(
      @JsonProperty(value = "series", required = true) String series,
      @JsonProperty(value = "reason", required = true) String reason) {}

  /**
   * One statement.
   *
   * @param text the paper's words
   * @param check its shape, read by {@link Check}
   */
  record Claim(
      @JsonProperty(value = "text", required = true) String text,
      @JsonProperty(value = "check", required = true) String check) {}

  /**
   * A claim beside what was measured.
   *
   * @param claim of the paper
   * @param outcome of its check
   */
  record Verdict(@JsonProperty("claim") Claim claim, @JsonUnwrapped Check.Outcome outcome) {}

  ClaimFile {
    claims.forEach(claim -> Check.of(claim.check()));
  }

  /** That of a figure of this build. */
  static ClaimFile ofFigure(String id) {
    String name = id + ".yaml";
    try (InputStream in = ClaimFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("the build lacks " + name);
      }
      return MAPPER.readValue(in, ClaimFile.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads one from its text.
   *
   * @throws IllegalArgumentException if it is no claim file
   */
  static ClaimFile parse(String yaml) {
    try {
      return MAPPER.readValue(yaml, ClaimFile.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** The verdict on each claim, in order. */
  List<Verdict> judge(Map<String, Map<String, Double>> measured) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Claim claim : claims) {
      verdicts.add(new Verdict(claim, Check.of(claim.check()).apply(measured)));
    }
    return verdicts;
  }
}
