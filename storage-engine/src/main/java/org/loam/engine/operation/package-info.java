/**
 * The operations inside an engine at a time, and steps of an end.
 *
 * <p>{@link org.loam.engine.operation.Operations} lets an operation in, lends it what it works
 * with, and lets the engine close only when all are out. Read it first.
 *
 * <p>Invariant: no operation waits for the work of another one while it is inside. Uses: lsm,
 * common.
 */
@NullMarked
package org.loam.engine.operation;

import org.jspecify.annotations.NullMarked;
