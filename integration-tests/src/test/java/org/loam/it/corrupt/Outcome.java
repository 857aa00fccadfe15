package org.loam.it.corrupt;

/** What became of a damaged database; there is no value for a wrong answer, that is a failure. */
enum Outcome {
  /** Everything is right; the damage was where nothing is kept. */
  RIGHT,
  /** Opening was refused, naming the file. */
  REFUSED,
  /** Some reads were refused, naming the file; all others were right. */
  READS_REFUSED,
  /** The log was cut above what was certainly durable, and the report says so. */
  CUT
}
