package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.trellis.common.Precision;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.GraphPaths;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/**
 * What a tuned solver begins with and in which order it tries the rest: by what was measured of the same structure,
 * else by rules.
 *
 * @param origin where the first comes from
 * @param reason for people
 * @param order  the most promising first
 * @param out    why choices are not tried at all
 * @param sure   whether the first is all but certain to be near the best, so that few trials are worth their time
 */
record FirstGuess(AdviceOrigin origin, String reason, List<SolverChoice> order, Map<SolverChoice, String> out,
        boolean sure) {
    /** Factors are sparse up to so many entries for each one of the matrix. */
    private static final double SPARSE_FILL = 12;
    /** The same where the matrix is symmetric and its diagonal is not positive. */
    private static final double SPARSE_INDEFINITE = 8;
    /** The same where any method takes few iterations. */
    private static final double SPARSE_BESIDE_FEW = 2.5;
    /** The share of sparse fill up to which nothing else was found to be much faster. */
    private static final double SURE = 0.6;
    /** What is beside the diagonal, over the diagonal, up to which a few iterations take less than any analysis. */
    private static final double DOMINANT = 0.95;
    /** The same, up to which an iteration or two will do. */
    private static final double ALL_BUT_DIAGONAL = 0.25;
    /** The same, up to which a dozen iterations will do, so that an analysis is not worth its time. */
    private static final double CLEARLY_DOMINANT = 0.5;
    /** The same, up to which a symmetric matrix with a positive diagonal is definite but for rounding. */
    private static final double WEAKLY_DOMINANT = 1 + 1e-10;
    /** The diagonal's share of a row in the mean from which on Ritz values of the symmetric part show iterations. */
    private static final double MOSTLY_DIAGONAL = 0.8;
    /** The share of the largest diagonal element from which on scaling by the diagonal changes little. */
    private static final double EVEN = 0.9;
    /** The share of the largest diagonal element up to which a row is below the tolerance of usual residuals. */
    private static final double NEGLIGIBLE = 1e-10;
    /** The quotient of Ritz values up to which an iteration or two will do. */
    private static final double ALMOST_ONE = 1.6;
    /** Entries of a factor for each one of the matrix up to which the host beats a device that iterates, if at all. */
    private static final double SPARSE_BESIDE_DEVICE = 6;
    /** The cube root of the rows over the entries of a row up to which factors in three dimensions may stay sparse. */
    private static final double SMALL_BODY = 2.2;
    /** The rows up to which factors on the host beat a device, if at all. */
    private static final int FEW_ROWS = 20_000;
    /** The rows from which on launches cost a device less than iterations that multigrid saves. */
    private static final int MANY_ROWS = 300_000;
    /** The same where small eigenvalues are as many as on a plane. */
    private static final int MANY_ROWS_OF_PLANE = 15_000;
    /** The quotient of Ritz values from which on they are: it is at most 34 in bodies, 36 to 67 on planes. */
    private static final double PLANE = 36;
    /** The rows and columns of which Ritz values are computed for that. */
    private static final int ROWS_OF_SAMPLE = 8192;
    /** The largest over the smallest diagonal element from which on few unknowns decide the residual. */
    private static final double UNEVEN = 256;
    /** The rows from which on a host takes multigrid where factors are not sparse. */
    private static final int MANY_ROWS_OF_HOST = 20_000;
    /** Steps through the graph from one end to the other up to which relaxation reaches all of it in few iterations. */
    private static final int FEW_LEVELS = 110;
    /** What is predicted to be slower by so much is not tried before what rules know. */
    private static final double HOPELESS = 3;

    /** Copies the lists, unless they are read when needed. */
    FirstGuess {
        order = NamedChoices.copyOf(order);
        out = Map.copyOf(out);
    }

    /** Takes what rules say: the choice by rules first, then one of each of the families that are fast most often. */
    static FirstGuess byRules(SolverSpace space) {
        return new FirstGuess(AdviceOrigin.RULE, "by rules", space.promising(SolverSpace.Promise.UNKNOWN), Map.of(),
                false);
    }

    /**
     * By a profile that knows the structure, else by what factors would take and a model, else by rules: singular
     * matrices are no part of what was learnt, and devices only of a model that the program gives.
     */
    static FirstGuess of(MatrixContenders made, TunedSolver.Settings settings) {
        CsrMatrix a = made.matrix();
        if (settings.isFixed() || settings.first().isPresent()) {
            return byRules(made.space());
        }
        boolean usual = !settings.nullSpaceOfConstants() && settings.nearNullSpace().isEmpty();
        boolean host = made.isAlone();
        Supplier<FirstGuess> learnt = () -> {
            if (!usual) {
                return byRules(made.space());
            }
            return host || settings.model().isPresent()
                    ? of(a, made, settings.model().or(SolverModel::ofLibrary))
                    : onDevice(a, made);
        };
        return !isKnown(settings.profiles())
                ? learnt.get()
                : byProfiles(settings.profiles(), TuningDevice.of(made.backend()), Fingerprint.of(a),
                        a.precision(), learnt, settings.solves()).orElseGet(learnt);
    }

    /**
     * Guesses by what factors and methods would take. Where the diagonal holds the rest of each row, an iteration;
     * else a factorisation if its factors are sparse by an analysis, which ends where they are not; else what is
     * fast most often. A model needs all features, and is asked unless the system is unlike those that it has seen.
     *
     * @param model empty for rules alone
     */
    static FirstGuess of(CsrMatrix matrix, MatrixContenders made, Optional<SolverModel> model) {
        SolverSpace space = made.space();
        try {
            if (model.isEmpty()) {
                return bySteps(matrix, made, space);
            }
            if (matrix.nonZeros() > 0 && SystemFeatures.isNarrow(matrix)) {
                double fill = made.fill(SystemFeatures.MOST_FILL);
                if (fill <= sparseFill(model)) {
                    return factorisation(model, fill, space);
                }
            }
        } catch (FactorisationException e) {
            return byRules(space);
        }
        return byFeatures(model, SystemFeatures.of(matrix, symmetric -> made.fill(SystemFeatures.MOST_FILL)), space);
    }

    /** Looks only as far as it needs to, since code that runs once is slow. */
    private static FirstGuess bySteps(CsrMatrix matrix, MatrixContenders made, SolverSpace space) {
        double weakest = weakestDiagonal(matrix, WEAKLY_DOMINANT);
        if (weakest <= ALL_BUT_DIAGONAL) {
            return fewIterations(SolverSpace.Promise.ALMOST_DIAGONAL, space);
        }
        if (weakest <= CLEARLY_DOMINANT) {
            return fewIterations(SolverSpace.Promise.FEW, space);
        }
        if (isAlmostIdentity(matrix)) {
            return fewIterations(SolverSpace.Promise.ALMOST_IDENTITY, space);
        }
        boolean definite = space.isDefinite() && weakest <= WEAKLY_DOMINANT;
        double spread = weakest <= DOMINANT ? SystemFeatures.FEW_ITERATIONS : spread(matrix, made, definite);
        if (spread <= ALMOST_ONE) {
            return fewIterations(SolverSpace.Promise.ALMOST_DIAGONAL, space);
        }
        boolean few = spread <= SystemFeatures.FEW_ITERATIONS;
        boolean iterates = few || definite;
        if (!iterates || (!few && isSmallBody(matrix)) || SystemFeatures.isNarrow(matrix)) {
            double most = few
                    ? SPARSE_BESIDE_FEW
                    : made.isDefiniteOrGeneral() ? SPARSE_FILL : SPARSE_INDEFINITE;
            double fill = matrix.nonZeros() == 0 ? 1 : made.fill(most);
            if (fill <= most) {
                return factorisation(Optional.empty(), fill, space);
            }
        }
        if (few) {
            return fewIterations(SolverSpace.Promise.FEW, space);
        }
        return matrix.rows() >= MANY_ROWS_OF_HOST && !(definite && isCompact(matrix))
                ? new FirstGuess(AdviceOrigin.RULE, "by rules", space.promising(SolverSpace.Promise.LARGE), Map.of(),
                        false)
                : iterations(false, space);
    }

    /**
     * Says whether factors may stay sparse however wide the graph is: in three dimensions those of n unknowns have some
     * {@code n^(4/3)} entries.
     */
    private static boolean isSmallBody(CsrMatrix matrix) {
        return Math.cbrt(matrix.rows()) * matrix.rows() <= SMALL_BODY * matrix.nonZeros();
    }

    /**
     * Says whether no unknown is far from another, as in three dimensions: an iteration of relaxation spreads what it
     * knows of a solution by a step in the graph or a few.
     */
    private static boolean isCompact(CsrMatrix matrix) {
        double farthest = 0;
        for (double distance : GraphPaths.breadthFirst(matrix, 0).distances()) {
            farthest = Double.isInfinite(distance) ? farthest : Math.max(farthest, distance);
        }
        return farthest <= FEW_LEVELS;
    }

    /** The quotient of Ritz values, where they show how many iterations a method takes; else infinite. */
    private static double spread(CsrMatrix matrix, MatrixContenders made, boolean definite) {
        boolean tells = definite || (!made.properties().symmetric() && meanDiagonal(matrix) >= MOSTLY_DIAGONAL);
        return tells ? SystemFeatures.spread(matrix, definite) : Double.POSITIVE_INFINITY;
    }

    private static FirstGuess fewIterations(SolverSpace.Promise thought, SolverSpace space) {
        return new FirstGuess(AdviceOrigin.RULE, "by rules: the diagonal dominates", space.promising(thought),
                Map.of(), false);
    }

    /** The mean over all rows of the diagonal's share of the sum of a row's magnitudes; 0 for rows without entries. */
    static double meanDiagonal(CsrMatrix matrix) {
        double sum = 0;
        for (CsrSegment segment : matrix.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                double own = 0;
                double all = 0;
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    double magnitude = Math.abs(segment.values().get(k));
                    own += segment.columnIndices()[k] == row ? magnitude : 0;
                    all += magnitude;
                }
                sum += all == 0 ? 0 : own / all;
            }
        }
        return sum / Math.max(1, matrix.rows());
    }

    /**
     * Guesses for a device, where relaxation by the diagonal and multigrid have kernels, while triangular solutions and
     * factorisations wait for one another or run on the host.
     */
    static FirstGuess onDevice(CsrMatrix matrix, MatrixContenders made) {
        SolverSpace space = made.space();
        boolean dominant = weakestDiagonal(matrix, DOMINANT) <= DOMINANT;
        if (dominant) {
            return onDevice(space, SolverSpace.Promise.DEVICE_FEW, ": the diagonal dominates");
        }
        if (space.isDefinite()) {
            return onDevice(space, onDeviceIfDefinite(matrix), "");
        }
        try {
            if (matrix.rows() <= FEW_ROWS && matrix.nonZeros() > 0) {
                double fill = made.fill(SPARSE_BESIDE_DEVICE);
                if (fill <= SPARSE_BESIDE_DEVICE) {
                    return factorisation(Optional.empty(), fill, space);
                }
            }
        } catch (FactorisationException e) {
            return byRules(space);
        }
        return onDevice(space, SolverSpace.Promise.DEVICE_MANY, "");
    }

    private static SolverSpace.Promise onDeviceIfDefinite(CsrMatrix matrix) {
        double unevenness = unevenness(matrix);
        if (unevenness <= UNEVEN && isPlane(matrix)) {
            return SolverSpace.Promise.DEVICE_PLANE;
        }
        if (matrix.rows() >= MANY_ROWS) {
            return SolverSpace.Promise.DEVICE_MANY;
        }
        return unevenness == 1 ? SolverSpace.Promise.DEVICE_EVEN : SolverSpace.Promise.DEVICE_FEW;
    }

    /**
     * Says by Ritz values of a sample whether a definite matrix has as many small eigenvalues as that of a plane, so
     * that relaxation by the diagonal takes hundreds of iterations.
     */
    private static boolean isPlane(CsrMatrix matrix) {
        return matrix.rows() >= MANY_ROWS_OF_PLANE
                && SystemFeatures.spreadOfFirst(matrix, ROWS_OF_SAMPLE) >= PLANE;
    }

    /** The largest over the smallest element of a positive diagonal. */
    private static double unevenness(CsrMatrix matrix) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (double own : matrix.diagonal().toDoubleArray()) {
            least = Math.min(least, own);
            most = Math.max(most, own);
        }
        return most / least;
    }

    private static FirstGuess onDevice(SolverSpace space, SolverSpace.Promise thought, String why) {
        return new FirstGuess(AdviceOrigin.RULE, "by rules for devices" + why, space.promising(thought), Map.of(),
                false);
    }

    /**
     * Says whether a matrix is a multiple of the identity but for a little in each row, and for few rows that are too
     * small to count for a residual. Ends with the first other row.
     */
    static boolean isAlmostIdentity(CsrMatrix matrix) {
        double[] diagonal = matrix.diagonal().toDoubleArray();
        double largest = 0;
        for (double own : diagonal) {
            largest = Math.abs(own) > Math.abs(largest) ? own : largest;
        }
        int even = 0;
        for (CsrSegment segment : matrix.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                double beside = -Math.abs(diagonal[row]);
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    beside += Math.abs(segment.values().get(k));
                }
                double share = diagonal[row] / largest;
                if (share >= EVEN && beside <= ALL_BUT_DIAGONAL * Math.abs(largest)) {
                    even++;
                } else if (!(Math.abs(share) + beside / Math.abs(largest) <= NEGLIGIBLE)) {
                    return false;
                }
            }
        }
        return even > 0 && even >= MOSTLY_DIAGONAL * matrix.rows();
    }

    /** The greatest of the sums beside the diagonal over the diagonal; infinite beyond a number. */
    static double weakestDiagonal(CsrMatrix matrix, double most) {
        double greatest = 0;
        for (CsrSegment segment : matrix.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                double own = 0;
                double beside = 0;
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    double value = segment.values().get(k);
                    if (segment.columnIndices()[k] == row) {
                        own += value;
                    } else {
                        beside += Math.abs(value);
                    }
                }
                greatest = Math.max(greatest, beside / Math.abs(own));
                if (!(greatest <= most)) {
                    return Double.POSITIVE_INFINITY;
                }
            }
        }
        return greatest;
    }

    private static FirstGuess iterations(boolean few, SolverSpace space) {
        return new FirstGuess(AdviceOrigin.RULE, "by rules",
                space.promising(few ? SolverSpace.Promise.FEW : SolverSpace.Promise.MANY), Map.of(), false);
    }

    /** The same of a system of which all features are known. */
    static FirstGuess byFeatures(Optional<SolverModel> model, SystemFeatures features, SolverSpace space) {
        if (features.fill() > 0 && features.fill() <= sparseFill(model)) {
            return factorisation(model, features.fill(), space);
        }
        FirstGuess rules = iterations(features.takesFewIterations(), space);
        return model.map(one -> byModel(one, features, space, rules)).orElse(rules);
    }

    private static double sparseFill(Optional<SolverModel> model) {
        return model.map(SolverModel::sparseFill).orElse(SPARSE_FILL);
    }

    private static FirstGuess factorisation(Optional<SolverModel> model, double fill, SolverSpace space) {
        String who = model.isPresent() ? "by the model of solvers" : "by rules";
        return new FirstGuess(model.isPresent() ? AdviceOrigin.MODEL : AdviceOrigin.RULE,
                who + String.format(Locale.ROOT, ": a factor has %.1f times the entries", fill),
                space.promising(SolverSpace.Promise.SPARSE), Map.of(), fill <= SURE * sparseFill(model));
    }

    /**
     * Takes what a model predicts, unless the system is unlike those that it was learnt from.
     *
     * @param far what to say and do then
     */
    static FirstGuess byModel(SolverModel model, SystemFeatures features, SolverSpace space, FirstGuess far) {
        if (model.isFar(features)) {
            return new FirstGuess(far.origin(), far.reason() + ", since the system is unlike those that the model of "
                    + "solvers has seen", far.order(), far.out(), far.sure());
        }
        Set<SolverChoice> order = new LinkedHashSet<>();
        model.ranking(features).stream().filter(one -> one.slowdown() <= HOPELESS).map(SolverModel.Ranked::choice)
                .filter(choice -> !choice.family().equals("direct") && space.allows(choice)).forEach(order::add);
        order.addAll(far.order());
        return new FirstGuess(AdviceOrigin.MODEL, "by the model of solvers", new ArrayList<>(order), Map.of(), false);
    }

    /** Says whether a profile knows solvers of any system, which is worth a look before a fingerprint is taken. */
    static boolean isKnown(List<Profile> profiles) {
        for (Profile profile : profiles) {
            if (profile.knowsSolvers()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes what profiles know of the same structure, if they know something. What another device measured only decides
     * what is tried next.
     */
    static Optional<FirstGuess> byProfiles(List<Profile> profiles, TuningDevice device, Fingerprint matrix,
            Precision precision, Supplier<FirstGuess> unknown, int solves) {
        return byKnown(KnownSolvers.of(profiles, device, matrix, precision, 1, solves), unknown);
    }

    /** Takes what was looked up before, else rules. */
    static FirstGuess byKnown(KnownSolvers known, SolverSpace space) {
        return byKnown(known, () -> byRules(space)).orElseGet(() -> byRules(space));
    }

    /** The same of what was looked up before. */
    static Optional<FirstGuess> byKnown(KnownSolvers known, Supplier<FirstGuess> unknown) {
        if (known.isNone()) {
            return Optional.empty();
        }
        FirstGuess otherwise = unknown.get();
        Map<SolverChoice, String> out = new LinkedHashMap<>();
        known.belied()
                .forEach(choice -> out.put(choice, "reported a solution that was none, as the profile says"));
        Set<SolverChoice> order = new LinkedHashSet<>(known.own());
        order.addAll(known.calibrated());
        if (order.isEmpty()) {
            order.add(otherwise.order().getFirst());
        }
        order.addAll(known.elsewhere());
        order.addAll(otherwise.order());
        order.removeAll(out.keySet());
        boolean measured = !known.own().isEmpty();
        boolean calibrated = !measured && !known.calibrated().isEmpty();
        return Optional.of(new FirstGuess(measured || calibrated ? AdviceOrigin.PROFILE : otherwise.origin(),
                measured
                        ? "by the profile, which knows the structure"
                        : calibrated
                                ? "by the profile, which knows the structure from another machine, calibrated"
                                : otherwise.reason(),
                new ArrayList<>(order), out, measured));
    }
}
