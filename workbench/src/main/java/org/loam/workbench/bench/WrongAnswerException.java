package org.loam.workbench.bench;

/** A store answered with something that was never written; no figure counts after that. */
public final class WrongAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongAnswerException(String message) {
    super(message);
  }
}
