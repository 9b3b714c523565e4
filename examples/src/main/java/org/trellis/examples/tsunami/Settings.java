package org.trellis.examples.tsunami;

/**
 * The numbers of a simulation.
 *
 * @param gravity      in m/s²
 * @param minimumDepth in m; shallower water stands still
 * @param seaLevel     in m; of the water at rest, and of the sea behind {@link ShallowWater#SEA} edges
 * @param courant      the share of the allowed time step that is taken, above 0 and at most 1
 */
record Settings(double gravity, double minimumDepth, double seaLevel, double courant) {
    /** On Earth, with a millimetre of water at least. */
    static final Settings DEFAULT = new Settings(9.81, 1e-3, 0, 0.9);

    Settings {
        if (!(gravity > 0 && minimumDepth > 0 && courant > 0 && courant <= 1) || !Double.isFinite(seaLevel)) {
            throw new IllegalArgumentException("gravity " + gravity + ", minimum depth " + minimumDepth
                    + ", sea level " + seaLevel + " and Courant number " + courant
                    + ", expected the first two above 0, a finite one, and one above 0 up to 1");
        }
    }

    Settings withMinimumDepth(double value) {
        return new Settings(gravity, value, seaLevel, courant);
    }

    Settings withSeaLevel(double value) {
        return new Settings(gravity, minimumDepth, value, courant);
    }

    Settings withCourant(double value) {
        return new Settings(gravity, minimumDepth, seaLevel, value);
    }

    /** What kernels get, in the order that {@link ShallowWater} names. */
    double[] toArray() {
        return new double[]{gravity, minimumDepth, seaLevel};
    }
}
