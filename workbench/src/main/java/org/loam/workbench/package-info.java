/**
 * The workbench: the command line around an engine. {@link org.loam.workbench.Loam} is where it
 * begins; {@code demo} shows the engine at work on real records, {@code bench} measures it beside
 * others, {@code peer} adapts them, {@code workload} makes keys, values and mixes, {@code
 * asterixdb} runs clusters of AsterixDB, {@code console} is what commands share.
 *
 * <p>It uses clocks, files and threads freely, since it stands outside of the storage kernel. Uses:
 * engine.
 */
@NullMarked
package org.loam.workbench;

import org.jspecify.annotations.NullMarked;
