/** Tests. */
package org.loam.workbench.workload.tpcc;
