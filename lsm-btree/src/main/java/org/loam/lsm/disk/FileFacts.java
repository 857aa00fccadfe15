package org.loam.lsm.disk;

import org.loam.common.key.EntryKind;

/** What a writer learns of its file while entries pass, for the footer. One thread. */
final class FileFacts {
  long entryCount;
  long antiMatterCount;
  long keyCount;
  long minLsn = Long.MAX_VALUE;
  long maxLsn;
  int leafPages;
  int overflowPages;
  int maxKeyLength;
  byte[] minKey = {};

  void add(byte kind, long lsn, int keyLength, boolean older) {
    entryCount++;
    antiMatterCount += kind == EntryKind.ANTI_MATTER ? 1 : 0;
    keyCount += older ? 0 : 1;
    minLsn = Math.min(minLsn, lsn);
    maxLsn = Math.max(maxLsn, lsn);
    maxKeyLength = Math.max(maxKeyLength, keyLength);
  }

  boolean hasSeveralVersions() {
    return keyCount < entryCount;
  }
}
