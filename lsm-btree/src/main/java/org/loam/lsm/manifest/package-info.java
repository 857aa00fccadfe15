/**
 * The manifest: which components make up which tree, on disk.
 *
 * <p>One manifest per engine, append-only: a file is readable if and only if the manifest names it.
 * Every change is one {@link org.loam.lsm.manifest.ManifestEdit}, checksummed, forced before it
 * counts, applied whole or not at all. The file is written afresh at every open and when it is
 * full, and {@code current} names the one that counts.
 *
 * <p>Read {@link org.loam.lsm.manifest.ManifestState} first, then {@link
 * org.loam.lsm.manifest.Manifest}. Uses: disk, common, the key ranges of merge policies.
 */
@NullMarked
package org.loam.lsm.manifest;

import org.jspecify.annotations.NullMarked;
