package org.loam.common.sim;

/** The I/O calls that are counted, can fail, and can be where a crash strikes. */
public enum IoKind {
  OPEN,
  CREATE,
  READ,
  WRITE,
  FORCE,
  TRUNCATE,
  MAP,
  LIST,
  MAKE_DIRECTORY,
  RENAME,
  LINK,
  DELETE,
  FORCE_DIRECTORY,
  LOCK
}
