/**
 * RocksDB through its own Java binding, set up as a fair rival. Compiled only in Maven profile
 * {@code rocksdb}, since the library is large and native.
 */
@NullMarked
package org.loam.workbench.peer.rocksdb;

import org.jspecify.annotations.NullMarked;
