package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/** What was found after crashes. For one thread. */
public final class Findings {
  private static final int SHOWN = 20;

  private final List<String> notes = new ArrayList<>();
  private long kept;
  private long inFlight;
  private long lost;
  private long twice;
  private long wrong;
  private long disagreements;
  private long refused;

  void judged(Ledger.Judgement judgement) {
    switch (judgement.verdict()) {
      case KEPT -> kept += judgement.found() == 0 ? 0 : 1;
      case IN_FLIGHT -> inFlight++;
      case LOST -> {
        lost++;
        note(judgement.toString());
      }
      case WRONG -> {
        wrong++;
        note(judgement.toString());
      }
    }
  }

  void twice(long id) {
    twice++;
    note("record " + id + " is there twice");
  }

  void torn(long id) {
    wrong++;
    note("record " + id + " is not what was written");
  }

  void disagrees(String index, String what) {
    disagreements++;
    note("index " + index + " disagrees with the records: " + what);
  }

  void refused(String answer) {
    refused++;
    note("a statement was refused before any node died: " + answer);
  }

  private void note(String note) {
    if (notes.size() < SHOWN) {
      notes.add(note);
    }
  }

  /** Records found as acknowledged, summed over all crashes. */
  @JsonProperty
  public long kept() {
    return kept;
  }

  /** Records found as a statement left them that was not acknowledged. */
  @JsonProperty
  public long inFlight() {
    return inFlight;
  }

  @JsonProperty
  public long lost() {
    return lost;
  }

  @JsonProperty
  public long twice() {
    return twice;
  }

  @JsonProperty
  public long wrong() {
    return wrong;
  }

  /** Questions that an index and the records answer differently. */
  @JsonProperty
  public long disagreements() {
    return disagreements;
  }

  /** Statements that were not acknowledged though no node had died. */
  @JsonProperty
  public long refused() {
    return refused;
  }

  /** The first of what is wrong, for people. */
  @JsonProperty
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Whether all is as it must be. */
  boolean isClean() {
    return lost + twice + wrong + disagreements + refused == 0;
  }
}
