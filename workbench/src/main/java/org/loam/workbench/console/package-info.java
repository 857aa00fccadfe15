/**
 * What all commands share: exit codes, failures of one line, progress, JSON, work directories and
 * child processes.
 *
 * <p>Results go to standard output, everything else to standard error.
 */
@NullMarked
package org.loam.workbench.console;

import org.jspecify.annotations.NullMarked;
