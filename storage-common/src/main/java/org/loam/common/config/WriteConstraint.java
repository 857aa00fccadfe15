package org.loam.common.config;

/** What stops the writers of a tree (Stability §5.1.1). */
public enum WriteConstraint {
  /** The depth of L0, or its bytes. */
  L0,
  /** L0, or the depth of the whole tree, if it is twice what merges should keep it at. */
  TREE
}
