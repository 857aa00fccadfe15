/**
 * Checks an engine while it runs: each page of each disk component, and each index against its
 * records.
 *
 * <p>{@link org.loam.engine.verify.Verification} is one check from its begin to its end; read it
 * first.
 *
 * <p>Invariant: a check changes nothing, and holds up neither flushes nor merges. Uses: operation,
 * read, dataset, report, lsm, common.
 */
@NullMarked
package org.loam.engine.verify;

import org.jspecify.annotations.NullMarked;
