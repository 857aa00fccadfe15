/** Tests. */
package org.loam.workbench;
