package org.trellis.examples.tsunami;

/** A function of the place: a bed, a level of the water. */
@FunctionalInterface
interface Field {
    double at(double x, double y);
}
