package org.loam.common.config;

/** Which page the buffer cache replaces. */
public enum CachePolicy {
  /** Second chance, the policy of the papers. */
  CLOCK
}
