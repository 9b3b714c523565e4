package org.trellis.examples.tsunami;

/**
 * What can be said about the water as a whole.
 *
 * @param volume  in m³
 * @param lowest  the lowest level of a wet cell, in m; not a number if none is wet
 * @param highest the highest level of a wet cell, in m; not a number if none is wet
 * @param speed   the highest speed, in m/s
 */
record Measures(double volume, double lowest, double highest, double speed) {}
