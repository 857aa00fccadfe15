/**
 * Real threads on real files, and every answer checked against what was written: by one thread for
 * each key, so that an answer must lie between what was acknowledged before the call and what had
 * been started when it returned.
 *
 * <p>Read {@link org.loam.it.history.History} first, then {@link org.loam.it.history.Moment}. The
 * simulation switches threads where they wait or do I/O; here they meet anywhere, but no seed
 * repeats a run. Uses: engine, orders.
 */
@NullMarked
package org.loam.it.history;

import org.jspecify.annotations.NullMarked;
