package org.trellis.systems;

import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.solve.multigrid.SetupLocation;

/**
 * What algebraic multigrid is to be, as an immutable value; what is not set is as by default
 * ({@link MultigridOptions}).
 */
public final class MultigridSettings {
    private final Map<String, String> options;

    private MultigridSettings(Map<String, String> options) {
        this.options = Map.copyOf(options);
    }

    /**
     * Returns the defaults: smoothed aggregation, V-cycles, Chebyshev polynomials of degree 2.
     *
     * @return the settings
     */
    public static MultigridSettings defaults() {
        return new MultigridSettings(Map.of());
    }

    /**
     * Sets an option by the name that files and the command line have for it.
     *
     * @param option one of {@link MultigridOptions#names}, or {@code block-size}
     * @param value  its value
     * @return other settings
     * @throws IllegalArgumentException if there is no such option, or the value does not suit it; says what would
     */
    public MultigridSettings with(String option, Object value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(option, value.toString());
        NamedPreconditioners.check(NamedPreconditioners.AMG, more);
        return new MultigridSettings(more);
    }

    /**
     * Sets the smoother of all levels.
     *
     * @param smoother the smoother
     * @return other settings
     */
    public MultigridSettings smoother(Preconditioning smoother) {
        return with("smoother", smoother.asSmoother());
    }

    /**
     * Sets how levels are made.
     *
     * @param coarsening smoothed aggregation, aggregation, classical, or reduction for convection
     * @return other settings
     */
    public MultigridSettings coarsening(Coarsening coarsening) {
        return with("coarsening", coarsening.label());
    }

    /**
     * Sets the shape of the cycle.
     *
     * @param shape V, W, F or K
     * @return other settings
     */
    public MultigridSettings cycle(CycleShape shape) {
        return with("cycle", shape.label());
    }

    /**
     * Sets how often the smoother sweeps on the way down and on the way up.
     *
     * @param before on the way down, at least 0
     * @param after  on the way up, at least 0
     * @return other settings
     */
    public MultigridSettings sweeps(int before, int after) {
        return with("before", before).with("after", after);
    }

    /**
     * Sets the threshold below which couplings are weak.
     *
     * @param theta between 0 and 1
     * @return other settings
     */
    public MultigridSettings threshold(double theta) {
        return with("theta", theta);
    }

    /**
     * Sets how many unknowns a node has, as in elasticity.
     *
     * @param unknowns at least 1
     * @return other settings
     */
    public MultigridSettings blockSize(int unknowns) {
        return with("block-size", unknowns);
    }

    /**
     * Sets the precision of the levels.
     *
     * @param precision single for half the traffic, if the method around it corrects
     * @return other settings
     */
    public MultigridSettings levels(Precision precision) {
        return with("levels", precision.label());
    }

    /**
     * Sets where the hierarchy is set up.
     *
     * @param place on the host, on the backend, or where that is done best
     * @return other settings
     */
    public MultigridSettings setup(SetupLocation place) {
        return with("setup", place.label());
    }

    /** Returns the options by name. */
    Map<String, String> options() {
        return options;
    }

    @Override
    public String toString() {
        return "multigrid" + options;
    }
}
