/** Tests. */
package org.loam.workbench.bench.latency;
