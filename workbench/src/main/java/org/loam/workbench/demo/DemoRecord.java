package org.loam.workbench.demo;

/**
 * A record as its source has it.
 *
 * @param key unique, US-ASCII in practice
 * @param group what a second index is made of: the section of a package, the table of a row
 * @param text the value
 */
record DemoRecord(String key, String group, String text) {}
