package org.loam.asterix.hyracks;

/** Category of slow tests to which memory does not matter: they run in the checked run only. */
public interface Once {}
