package org.loam.common.config;

/** When a write is acknowledged. */
public enum Durability {
  /** When the log is on disk: survives loss of power. */
  SYNC,
  /** When the operating system has the log: survives the end of the process, not loss of power. */
  PROCESS
}
