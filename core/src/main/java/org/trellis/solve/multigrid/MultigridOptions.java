package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * What algebraic multigrid is to be, as values or as text:
 *
 * <table>
 * <caption>options, with what holds if one is not given</caption>
 * <tr><th>option</th><th>values</th></tr>
 * <tr><td>{@code coarsening}</td><td>smoothed-aggregation (the default), aggregation, classical,
 * air</td></tr>
 * <tr><td>{@code aggregates}</td><td>greedy (the default: in the order of the nodes), mis2 (parallel)</td></tr>
 * <tr><td>{@code strength}</td><td>automatic (the default), symmetric (where θ is given), signed</td></tr>
 * <tr><td>{@code theta}</td><td>0 for symmetric, 0.3 for signed strength, 0.25 for classical and air</td></tr>
 * <tr><td>{@code damping}</td><td>ω of the prolongator in units of 1/ρ(D⁻¹A), 4/3</td></tr>
 * <tr><td>{@code improve-candidates}</td><td>Gauss–Seidel sweeps over the near null space of each level, 0</td></tr>
 * <tr><td>{@code adaptive-candidates}</td><td>vectors of the near null space that are found beside given ones, or in
 * the place of constants where none are given, 0; see {@link NearNullSpace#adaptive}</td></tr>
 * <tr><td>{@code splitting}, {@code aggressive-levels}, {@code row-sum}</td><td>of the classical coarsening: pmis (the
 * default), hmis, rs; 0; 0.9, see {@link CoarseningOptions.Classical}; of air the first (rs) and the
 * last</td></tr>
 * <tr><td>{@code distance}, {@code restriction-theta}, {@code prolongation}</td><td>of air: 2, or 1; 0.05; one-point
 * (the default), extended, see {@link CoarseningOptions.Reduction}</td></tr>
 * <tr><td>{@code interpolation}, {@code truncation}</td><td>weights of a row of extended interpolation, 4; the share
 * of the greatest below which one is dropped, there and in the restriction of air, 0; of air 0.05</td></tr>
 * <tr><td>{@code truncation} of smoothed aggregation</td><td>with signed strength: the share of a path beside it below
 * which an entry of a coarse matrix goes to the diagonal, 0.2; 0 for {@code aggregates=mis2}, which a backend's set-up
 * has</td></tr>
 * <tr><td>{@code coarse-rows}, {@code max-levels}</td><td>300, 25</td></tr>
 * <tr><td>{@code smoother}</td><td>a name of {@link org.trellis.solve.smooth.Preconditioners} with options after
 * commas, {@code chebyshev,kind=4,degree=2}; for air also one of {@link org.trellis.solve.smooth.PartSmoothers}, {@code
 * fc-jacobi}</td></tr>
 * <tr><td>{@code cycle}</td><td>automatic, v, w, f or k; automatic ({@link CycleOptions#on}), but k for aggregation,
 * and v for classical and air</td></tr>
 * <tr><td>{@code twice-from}</td><td>the first level that cycles other than v visit more than once, 1</td></tr>
 * <tr><td>{@code before}, {@code after}</td><td>sweeps down and up, 1 and 1; of air 0 and 1</td></tr>
 * <tr><td>{@code setup}</td><td>automatic (the default), host, backend, see {@link SetupLocation}</td></tr>
 * <tr><td>{@code levels}</td><td>the precision of the levels: f64, f32; the matrix's</td></tr>
 * <tr><td>{@code mirror}</td><td>true (the default: sweeps up go in the opposite direction), false</td></tr>
 * </table>
 *
 * @param coarsening how the hierarchy is set up
 * @param smoother   the smoother of all levels
 * @param cycle      what a cycle does
 * @param setup      where the hierarchy is set up
 * @param levels     the precision of all levels; empty for that of the matrix
 * @param candidates how many vectors of the near null space are found beside given ones ({@link
 *                   NearNullSpace#extended}); 0 for none. The coarsening is one by aggregation then
 */
public record MultigridOptions(CoarseningOptions coarsening, SmootherSpec smoother, CycleOptions cycle,
        SetupLocation setup, Optional<Precision> levels, int candidates) {
    /** The option that says how many vectors of the near null space are found. */
    private static final String CANDIDATES = "adaptive-candidates";
    private static final String TWICE_FROM = "twice-from";
    private static final String AUTOMATIC = "automatic";
    private static final double TRUNCATION = 0.2;
    private static final String DEFAULT_SMOOTHER = "chebyshev,kind=4,degree=2";
    private static final String DEFAULT_OF_PARTS = "fc-jacobi";
    private static final List<String> CLASSICAL_NAMES =
            List.of("splitting", "aggressive-levels", "interpolation", "row-sum");
    private static final String PROLONGATION = "prolongation";
    private static final List<String> REDUCTION_NAMES = List.of("distance", "restriction-theta", PROLONGATION);
    private static final List<String> NAMES =
            List.of("coarsening", "aggregates", "strength", "theta", "damping",
                    "improve-candidates", CANDIDATES, "splitting", "aggressive-levels", "interpolation", "row-sum",
                    "distance", "restriction-theta", PROLONGATION, "truncation", "coarse-rows",
                    "max-levels", "smoother", "cycle", TWICE_FROM, "before", "after", "mirror",
                    "setup", "levels");

    /**
     * Checks that there is something.
     *
     * @throws IllegalArgumentException if vectors are to be found for a coarsening that has none, their number is
     *                                  negative, a smoother of parts is to be used where there are none, or reduction
     *                                  is to be set up on a backend
     */
    public MultigridOptions {
        Objects.requireNonNull(coarsening);
        Objects.requireNonNull(smoother);
        Objects.requireNonNull(cycle);
        Objects.requireNonNull(setup);
        Objects.requireNonNull(levels);
        Checks.notNegative(CANDIDATES, candidates);
        if (candidates > 0) {
            requireAggregates(coarsening);
        }
        boolean reduction = coarsening.coarsening() == Coarsening.AIR;
        if (smoother.isOfParts() && !reduction) {
            throw new IllegalArgumentException("multigrid with smoother=" + smoother.name() + " and coarsening="
                    + coarsening.coarsening().label() + ", expected coarsening=air, whose levels have the parts that "
                    + "it sweeps over");
        }
        if (reduction && setup == SetupLocation.BACKEND) {
            throw new IllegalArgumentException("multigrid with coarsening=air and setup=backend, expected setup=host: "
                    + "its local systems are solved on the host");
        }
    }

    /**
     * Takes options of a hierarchy that is set up wherever that is done best.
     *
     * @param coarsening how the hierarchy is set up
     * @param smoother   the smoother of all levels
     * @param cycle      what a cycle does
     */
    public MultigridOptions(CoarseningOptions coarsening, SmootherSpec smoother, CycleOptions cycle) {
        this(coarsening, smoother, cycle, SetupLocation.AUTOMATIC, Optional.empty(), 0);
    }

    private static void requireAggregates(CoarseningOptions coarsening) {
        if (coarsening.coarsening().splits()) {
            throw new IllegalArgumentException("adaptive near null space with coarsening="
                    + coarsening.coarsening().label() + ", expected " + Coarsening.SMOOTHED_AGGREGATION.label() + " or "
                    + Coarsening.AGGREGATION.label()
                    + ", which have one");
        }
    }

    /**
     * Returns the method in which a near null space is found.
     *
     * @throws IllegalArgumentException if the coarsening has none
     */
    MultigridOptions withoutSearch() {
        requireAggregates(coarsening);
        return new MultigridOptions(coarsening, smoother, cycle, setup, Optional.empty(), 0);
    }

    /**
     * Returns the names of the options.
     *
     * @return all of them
     */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Reads options.
     *
     * @param given names and values
     * @return the options, those that are not given as by default
     * @throws IllegalArgumentException if a name or value is unknown; says what there is
     */
    public static MultigridOptions parse(Map<String, String> given) {
        for (String name : new TreeSet<>(given.keySet())) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("multigrid has no option '" + name + "', expected one of " + NAMES);
            }
        }
        Coarsening kind = Coarsening.of(given.getOrDefault("coarsening", Coarsening.SMOOTHED_AGGREGATION.label()));
        refuseForeign(kind, given);
        CoarseningOptions usual = CoarseningOptions.of(kind);
        boolean parallel = parallel(given);
        double truncation = kind == Coarsening.SMOOTHED_AGGREGATION && !parallel ? TRUNCATION : usual.truncation();
        CoarseningOptions coarsening = new CoarseningOptions(kind, parallel,
                strength(given, usual.strength()), smoothing(given, usual.smoothing()),
                classical(given, usual.classical()), real(given, "truncation", truncation),
                whole(given, "coarse-rows", usual.coarseRows()), whole(given, "max-levels", usual.maximumLevels()));
        String smoother = kind == Coarsening.AIR ? DEFAULT_OF_PARTS : DEFAULT_SMOOTHER;
        return new MultigridOptions(coarsening, SmootherSpec.parse(given.getOrDefault("smoother", smoother)),
                cycle(kind, given),
                setup(given), levels(given), whole(given, CANDIDATES, 0));
    }

    /** Reads the cycle; that of smoothed aggregation is left to the hierarchy unless it is given. */
    private static CycleOptions cycle(Coarsening kind, Map<String, String> given) {
        String label = given.getOrDefault("cycle", AUTOMATIC);
        boolean automatic = label.equals(AUTOMATIC);
        CycleShape usual = kind == Coarsening.AGGREGATION ? CycleShape.K : CycleShape.V;
        CycleShape shape = automatic ? usual : CycleShape.of(label);
        boolean open = automatic && kind == Coarsening.SMOOTHED_AGGREGATION;
        int twiceFrom = whole(given, TWICE_FROM, 1);
        if (given.containsKey(TWICE_FROM) && (shape == CycleShape.V || twiceFrom < 1)) {
            throw new IllegalArgumentException("multigrid with " + TWICE_FROM + "=" + twiceFrom + " and cycle=" + label
                    + ", expected a level from 1 on and cycle=w, f or k, which visit levels more than once");
        }
        return new CycleOptions(shape, whole(given, "before", kind == Coarsening.AIR ? 0 : 1),
                whole(given, "after", 1), mirror(given), open ? CycleOptions.CHOSEN : twiceFrom);
    }

    /** Refuses options that mean nothing for a coarsening. */
    private static void refuseForeign(Coarsening kind, Map<String, String> given) {
        List<String> foreign = new ArrayList<>();
        if (kind.splits()) {
            foreign.addAll(List.of("aggregates", "strength", "damping", "improve-candidates", CANDIDATES));
        } else {
            foreign.addAll(CLASSICAL_NAMES);
        }
        if (kind == Coarsening.AIR) {
            foreign.add("aggressive-levels");
        } else {
            foreign.addAll(REDUCTION_NAMES);
        }
        if (kind == Coarsening.AGGREGATION) {
            foreign.addAll(List.of("damping", "truncation"));
        }
        for (String name : foreign) {
            if (given.containsKey(name)) {
                throw new IllegalArgumentException("multigrid by " + kind.label() + " has no option '" + name
                        + "', which is another coarsening's");
            }
        }
    }

    private static CoarseningOptions.Smoothing smoothing(Map<String, String> given,
            CoarseningOptions.Smoothing usual) {
        return new CoarseningOptions.Smoothing(real(given, "damping", usual.damping()),
                whole(given, "improve-candidates", usual.candidateSweeps()));
    }

    private static CoarseningOptions.Classical classical(Map<String, String> given,
            CoarseningOptions.Classical usual) {
        return new CoarseningOptions.Classical(
                CoarseningOptions.SplittingMethod.of(given.getOrDefault("splitting", usual.splitting().label())),
                whole(given, "aggressive-levels", usual.aggressiveLevels()),
                whole(given, "interpolation", usual.interpolation()), real(given, "row-sum", usual.rowSum()),
                reduction(given, usual.reduction()));
    }

    private static CoarseningOptions.Reduction reduction(Map<String, String> given,
            CoarseningOptions.Reduction usual) {
        return new CoarseningOptions.Reduction(whole(given, "distance", usual.distance()),
                real(given, "restriction-theta", usual.theta()), CoarseningOptions.Reduction.Prolongation
                        .of(given.getOrDefault(PROLONGATION, usual.prolongation().label())));
    }

    /** A threshold alone is one for symmetric strength, as in other programs. */
    private static StrengthOptions strength(Map<String, String> given, StrengthOptions usual) {
        if (!given.containsKey("strength")) {
            return given.containsKey("theta") && usual.measure() == StrengthMeasure.AUTOMATIC
                    ? new StrengthOptions(StrengthMeasure.SYMMETRIC, real(given, "theta", 0))
                    : new StrengthOptions(usual.measure(), real(given, "theta", usual.theta()));
        }
        StrengthMeasure measure = StrengthMeasure.of(given.get("strength"));
        if (measure == StrengthMeasure.AUTOMATIC && given.containsKey("theta")) {
            throw new IllegalArgumentException("multigrid with strength=automatic and theta=" + given.get("theta")
                    + ", expected no theta, which is chosen; strength=signed or symmetric takes one");
        }
        return new StrengthOptions(measure, real(given, "theta", StrengthOptions.of(measure).theta()));
    }

    /** A backend aggregates around independent sets, whether or not that is said. */
    private static boolean parallel(Map<String, String> given) {
        boolean backend = SetupLocation.BACKEND.label().equals(given.get("setup"));
        String how = given.getOrDefault("aggregates", backend ? "mis2" : "greedy");
        if (!how.equals("greedy") && !how.equals("mis2")) {
            throw new IllegalArgumentException("multigrid: aggregates is '" + how + "', expected greedy or mis2");
        }
        return how.equals("mis2");
    }

    /** Aggregates in the order of the nodes are made on the host, which also thins out what comes of them. */
    private static SetupLocation setup(Map<String, String> given) {
        SetupLocation place = SetupLocation.of(given.getOrDefault("setup", SetupLocation.AUTOMATIC.label()));
        boolean greedy = "greedy".equals(given.get("aggregates"));
        if (place == SetupLocation.BACKEND && greedy) {
            throw new IllegalArgumentException(
                    "multigrid with aggregates=greedy and setup=backend, expected aggregates=mis2 there");
        }
        boolean classical = Coarsening.CLASSICAL.label().equals(given.get("coarsening"));
        boolean thinned = !classical && !parallel(given) && real(given, "truncation", 0) != 0;
        boolean split = classical && !classical(given, CoarseningOptions.Classical.usual()).onBackends();
        if (place == SetupLocation.BACKEND && split) {
            throw new IllegalArgumentException(
                    "multigrid with splitting=hmis or rs, or aggressive-levels, and setup=backend, "
                            + "expected splitting=pmis without aggressive levels there");
        }
        boolean improved = whole(given, "improve-candidates", 0) > 0;
        if (place == SetupLocation.BACKEND && improved) {
            throw new IllegalArgumentException("multigrid with improve-candidates="
                    + given.get("improve-candidates") + " and setup=backend, expected setup=host: sweeps go over the "
                    + "rows in their order");
        }
        return greedy || thinned || split || improved ? SetupLocation.HOST : place;
    }

    private static Optional<Precision> levels(Map<String, String> given) {
        return Optional.ofNullable(given.get("levels")).map(text -> Arrays.stream(Precision.values())
                .filter(precision -> precision.label().equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("multigrid: levels is '" + text + "', expected one of "
                        + Arrays.stream(Precision.values()).map(Precision::label).toList())));
    }

    private static boolean mirror(Map<String, String> given) {
        String mirror = given.getOrDefault("mirror", "true");
        if (!mirror.equals("true") && !mirror.equals("false")) {
            throw new IllegalArgumentException("multigrid: mirror is '" + mirror + "', expected true or false");
        }
        return mirror.equals("true");
    }

    private static double real(Map<String, String> given, String name, double otherwise) {
        String text = given.get(name);
        try {
            return text == null ? otherwise : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("multigrid: " + name + " is '" + text + "', expected a number", e);
        }
    }

    /** Reads a whole number, or takes another where none is given. */
    static int whole(Map<String, String> given, String name, int otherwise) {
        String text = given.get(name);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("multigrid: " + name + " is '" + text + "', expected a whole number", e);
        }
    }
}
