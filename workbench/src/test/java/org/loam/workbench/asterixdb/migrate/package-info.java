@org.jspecify.annotations.NullMarked
package org.loam.workbench.asterixdb.migrate;
