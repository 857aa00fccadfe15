@org.jspecify.annotations.NullMarked
package org.loam.asterix.merge;
