package org.loam.common.env;

import java.util.random.RandomGenerator;

/**
 * Everything non-deterministic, in one argument: files, time, waiting, threads, randomness. The
 * engine reaches the outside world through nothing else, so a simulation can stand in for all of
 * it.
 *
 * @param files the only door to disk
 * @param clock elapsed time
 * @param waiter locks that may be held across I/O, conditions, pauses
 * @param tasks background threads
 * @param random salts and sampling; never security
 */
public record StorageEnv(
    StorageFiles files, NanoClock clock, Waiter waiter, TaskRunner tasks, RandomGenerator random) {}
