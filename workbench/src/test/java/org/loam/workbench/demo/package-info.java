/** Tests. */
package org.loam.workbench.demo;
