/**
 * Schedules of instrumented code, explored; apart from the simulation, which is not instrumented.
 */
package org.loam.common.schedule;
