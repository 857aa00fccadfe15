/** Tests. */
package org.loam.workbench.bench.tpcc;
