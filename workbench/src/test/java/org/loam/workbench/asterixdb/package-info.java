/** Tests. */
package org.loam.workbench.asterixdb;
