package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.sparse.algebra.MatrixNorms;

/** Sets up a hierarchy, level by level, until one is small enough or nothing is gained. */
final class HierarchySetup {
    /** A share of weak couplings up to which all count. */
    static final double FEW = 0.02;
    private static final int ROUNDINGS = 16;

    private final CoarseningOptions options;
    private final SetupTimes times = new SetupTimes();
    private final SetupRemarks remarks = new SetupRemarks();
    private final List<HierarchyLevel> levels = new ArrayList<>();
    private final List<LevelSetup> setups = new ArrayList<>();
    private final List<Double> radii = new ArrayList<>();
    private boolean symmetric;
    private StrengthOptions strength;

    HierarchySetup(CoarseningOptions options) {
        this.options = options;
    }

    Hierarchy run(CsrMatrix matrix, NearNullSpace given) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("multigrid for " + matrix + ", expected a square matrix");
        }
        requireFinite(matrix);
        symmetric = times.time(SetupPhase.STRENGTH, () -> isSymmetric(matrix));
        NearNullSpace finest = given == null ? NearNullSpace.constants(matrix.rows(), 1) : given;
        Checks.length("length of the near null space", finest.rows(), matrix.rows());
        byte[] component = components(matrix.rows(), finest.blockSize());
        NearNullSpace space = finest;
        strength = times.time(SetupPhase.STRENGTH, () -> strength(matrix, finest.blockSize()));
        CsrMatrix a = matrix;
        while (levels.size() + 1 < options.maximumLevels() && a.rows() > options.coarseRows()) {
            Step step = options.coarsening() == Coarsening.CLASSICAL ? classical(a, component) : aggregate(a, space);
            if (step == null) {
                break;
            }
            LevelSetup.Made made = step.made();
            levels.add(HierarchyLevel.of(a, made.prolongation(), made.restriction()));
            setups.add(step.setup());
            radii.add(made.radius());
            a = made.coarse();
            space = step.space();
            component = step.component();
        }
        levels.add(HierarchyLevel.coarsest(a));
        return new Hierarchy(levels, setups, times, remarks.list(),
                new Hierarchy.Found(strength, radii, symmetric));
    }

    /** Finds out which couplings count if that was left to us. */
    private StrengthOptions strength(CsrMatrix matrix, int blockSize) {
        StrengthOptions wanted = options.strength();
        if (wanted.measure() != StrengthMeasure.AUTOMATIC) {
            if (options.coarsening() != Coarsening.CLASSICAL) {
                requirePossible(wanted, blockSize);
            }
            return wanted;
        }
        boolean directed = blockSize == 1
                && Strength.weakShare(matrix, wanted.theta()) > FEW;
        return directed
                ? new StrengthOptions(StrengthMeasure.SIGNED, wanted.theta())
                : StrengthOptions.of(StrengthMeasure.SYMMETRIC);
    }

    /** Refuses signs of couplings that are norms. */
    static void requirePossible(StrengthOptions wanted, int blockSize) {
        if (wanted.measure() == StrengthMeasure.SIGNED && blockSize > 1) {
            throw new IllegalArgumentException("multigrid with strength=signed for nodes of " + blockSize
                    + " unknowns, expected strength=symmetric: the coupling of two nodes is a norm");
        }
    }

    /** Says whether a matrix equals its transpose but for rounding. */
    static boolean isSymmetric(CsrMatrix matrix) {
        return MatrixGraphs.firstAsymmetry(matrix, tolerance(matrix.precision())).isEmpty();
    }

    /** Returns the share by which mirror images may differ from rounding. */
    static double tolerance(Precision precision) {
        return ROUNDINGS * precision.unitRoundoff();
    }

    private static byte[] components(int rows, int blockSize) {
        if (blockSize > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("nodes of " + blockSize + " unknowns, expected at most "
                    + Byte.MAX_VALUE);
        }
        byte[] component = new byte[rows];
        for (int row = 0; row < rows; row++) {
            component[row] = (byte) (row % blockSize);
        }
        return component;
    }

    static void requireFinite(CsrMatrix matrix) {
        if (Double.isFinite(MatrixNorms.max(matrix))) {
            return;
        }
        matrix.forEachEntry((row, column, value) -> {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("multigrid for " + matrix + ": the entry in row " + row + ", column "
                        + column + " is " + value + ", expected a finite number");
            }
        });
    }

    /** A level that was made, and the near null space or the components of the next one. */
    private record Step(LevelSetup setup, LevelSetup.Made made, NearNullSpace space, byte[] component) {}

    private Step aggregate(CsrMatrix a, NearNullSpace space) {
        CsrMatrix strong = times.time(SetupPhase.STRENGTH, () -> AggregationSetup.strong(a, space, strength));
        boolean directed = strength.measure() == StrengthMeasure.SIGNED && space.blockSize() == 1;
        CsrMatrix oneSided = times.time(SetupPhase.STRENGTH,
                () -> directed ? Strength.oneSided(a, strength.theta()) : null);
        Aggregates aggregates = times.time(SetupPhase.AGGREGATION, () -> aggregates(strong, oneSided));
        int rows = aggregates.count() * space.count();
        remarks.cutOff(levels.size(), strong.rows(), alone(aggregates), "node", strength);
        if (!remarks.shrinks(levels.size(), a, rows, strength)) {
            return null;
        }
        TentativeProlongator tentative = times.time(SetupPhase.PROLONGATOR,
                () -> TentativeProlongator.of(aggregates, space, a.precision()));
        double damping = options.coarsening() == Coarsening.AGGREGATION ? 0 : options.damping();
        AggregationSetup setup = new AggregationSetup(aggregates, tentative.matrix(), damping,
                directed ? new FilteredMatrix(oneSided, space) : null,
                new AggregationSetup.Thinning(directed && space.count() == 1 ? options.truncation() : 0,
                        tentative.coarse()));
        return new Step(setup, setup.make(a, symmetric, times), tentative.coarse(), null);
    }

    /** Nodes that only depend on others, and not these on them, join them. */
    private Aggregates aggregates(CsrMatrix strong, CsrMatrix oneSided) {
        Aggregates found = options.parallel() ? Aggregates.independentSet(strong) : Aggregates.greedy(strong);
        return oneSided == null ? found : found.joined(oneSided);
    }

    private static int alone(Aggregates aggregates) {
        int alone = 0;
        for (int node = 0; node < aggregates.nodes(); node++) {
            alone += aggregates.of(node) == Aggregates.NONE ? 1 : 0;
        }
        return alone;
    }

    private Step classical(CsrMatrix a, byte[] component) {
        CsrMatrix strong =
                times.time(SetupPhase.STRENGTH, () -> Strength.classical(a, strength.theta(), component));
        Splitting splitting = times.time(SetupPhase.AGGREGATION, () -> Splitting.of(strong));
        remarks.cutOff(levels.size(), a.rows(), Strength.cutOff(a, strong), "row", strength);
        if (!remarks.shrinks(levels.size(), a, splitting.count(), strength)) {
            return null;
        }
        ClassicalSetup setup = new ClassicalSetup(strong, splitting, component, options);
        return new Step(setup, setup.make(a, symmetric, times), null, setup.coarseComponents());
    }
}
