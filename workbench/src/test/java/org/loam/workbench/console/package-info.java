/** Tests. */
package org.loam.workbench.console;
