/**
 * What a node controller runs with instead of AsterixDB's own: a runtime context that opens Loam, a
 * repository that describes B+-tree indexes as Loam's, and a life-cycle manager that uses them.
 * Everything else is AsterixDB's, and so are indexes of other kinds.
 *
 * <p>Read {@link LoamRuntimeContext} first. Uses: asterix.index, asterix.merge, asterix.node.
 */
@NullMarked
package org.loam.asterix.runtime;

import org.jspecify.annotations.NullMarked;
