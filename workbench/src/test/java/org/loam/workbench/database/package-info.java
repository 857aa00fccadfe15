/** Tests. */
package org.loam.workbench.database;
