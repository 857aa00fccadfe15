@org.jspecify.annotations.NullMarked
package org.loam.workbench.peer.rocksdb;
