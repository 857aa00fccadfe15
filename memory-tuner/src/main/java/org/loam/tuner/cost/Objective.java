package org.loam.tuner.cost;

/**
 * What is minimised.
 *
 * @param model what requests of the disk cost
 * @param weights how much writing and reading count
 */
public record Objective(CostModel model, Weights weights) {}
