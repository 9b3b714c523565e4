package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * Sets up a hierarchy of aggregates in the memory of a backend: what {@link HierarchySetup} does on the host with
 * {@code aggregates=mis2}, and the same bits. Owns what it makes beside the levels, which a refresh needs again.
 */
final class DeviceSetup implements AutoCloseable {
    private final CoarseningOptions options;
    private final SetupRemarks remarks = new SetupRemarks();
    private final Backend backend;
    private final MatrixAlgebra algebra;
    private final Precision precision;
    private final AggregationKernels kernels;
    private final List<Kept> kept = new ArrayList<>();
    private AggregationKernels.Vectors space;
    private StrengthOptions strength;

    /** What a level is made of again. */
    private static final class Kept implements AutoCloseable {
        private AggregationKernels.Groups groups;
        private AggregationKernels.Tentative tentative;
        private BackendMatrix oneSided;
        private BackendMatrix product;
        private AggregationKernels.Vectors space;

        @Override
        public void close() {
            closeAll(groups, tentative, oneSided, product);
        }
    }

    private static void closeAll(AutoCloseable... resources) {
        for (AutoCloseable resource : resources) {
            if (resource instanceof BackendMatrix matrix) {
                matrix.close();
            } else if (resource instanceof AggregationKernels.Groups groups) {
                groups.close();
            } else if (resource instanceof AggregationKernels.Tentative tentative) {
                tentative.close();
            }
        }
    }

    DeviceSetup(CoarseningOptions options, Backend backend, Precision precision) {
        this.options = options;
        this.precision = precision;
        this.backend = backend;
        this.algebra = backend.kernels(MatrixAlgebra.class);
        this.kernels = backend.kernels(AggregationKernels.class);
    }

    /** Says whether a backend sets such hierarchies up. */
    static boolean takes(Backend backend, CoarseningOptions options) {
        return options.coarsening() != Coarsening.CLASSICAL
                && backend.optionalKernels(AggregationKernels.class).isPresent();
    }

    Hierarchy run(SparseMatrix given, NearNullSpace nullSpace) {
        if (given.rows() != given.columns()) {
            throw new IllegalArgumentException("multigrid for " + given + ", expected a square matrix");
        }
        SetupTimes times = new SetupTimes();
        NearNullSpace finest = nullSpace == null ? NearNullSpace.constants(given.rows(), 1) : nullSpace;
        Checks.length("length of the near null space", finest.rows(), given.rows());
        List<HierarchyLevel> levels = new ArrayList<>();
        List<Double> radii = new ArrayList<>();
        BackendMatrix a = onBackend(given, times);
        BackendMatrix next = a;
        try {
            requireFinite(a);
            boolean symmetric = times.time(SetupPhase.STRENGTH, () -> isSymmetric(a));
            space = new AggregationKernels.Vectors(upload(finest), finest.count(), finest.blockSize());
            strength = times.time(SetupPhase.STRENGTH, () -> strength(a));
            AggregationKernels.Vectors vectors = space;
            while (levels.size() + 1 < options.maximumLevels() && next.rows() > options.coarseRows()) {
                Kept level = new Kept();
                kept.add(level);
                level.space = vectors;
                if (!aggregate(level, next, levels.size(), times)) {
                    kept.removeLast().close();
                    break;
                }
                next = make(level, next, symmetric, levels, radii, null, times);
                vectors = level.tentative.coarse();
            }
            levels.add(HierarchyLevel.coarsest(next));
            return new Hierarchy(levels, this, given, times, remarks.list(), new Hierarchy.Found(strength, radii));
        } catch (RuntimeException | Error e) {
            closeLevels(levels, given);
            closeUnless(given, next);
            close();
            throw e;
        }
    }

    private boolean isSymmetric(BackendMatrix a) {
        return algebra.isSymmetric(a, HierarchySetup.tolerance(a.precision()));
    }

    /** Brings a matrix to the backend, and into the precision of the levels, unless it is there. */
    @SuppressWarnings("MustBeClosed") // closed with the levels
    private BackendMatrix onBackend(SparseMatrix given, SetupTimes times) {
        return times.time(SetupPhase.TRANSFER, () -> {
            if (given instanceof BackendMatrix there) {
                return there.precision() == precision ? there : algebra.toPrecision(there, precision);
            }
            BackendMatrix there = algebra.upload(given.toCsr());
            if (there.precision() == precision) {
                return there;
            }
            try (there) {
                return algebra.toPrecision(there, precision);
            }
        });
    }

    private void requireFinite(BackendMatrix a) {
        if (!algebra.isFinite(a)) {
            HierarchySetup.requireFinite(a.toCsr());
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private DenseVector upload(NearNullSpace finest) {
        int rows = finest.rows();
        DenseVector vectors = backend.vector(Precision.F64, Math.multiplyExact(rows, finest.count()));
        try {
            if (finest.isOne()) {
                kernels.fill(vectors, 1);
            } else {
                HostVector all = HostVector.zeros(Precision.F64, vectors.length());
                for (int v = 0; v < finest.count(); v++) {
                    all.setRange(v * rows, finest.vector(v), 0, rows);
                }
                vectors.copyFrom(all);
            }
        } catch (RuntimeException | Error e) {
            vectors.close();
            throw e;
        }
        return vectors;
    }

    private StrengthOptions strength(BackendMatrix a) {
        StrengthOptions wanted = options.strength();
        if (wanted.measure() != StrengthMeasure.AUTOMATIC) {
            HierarchySetup.requirePossible(wanted, space.blockSize());
            return wanted;
        }
        return space.blockSize() == 1 && kernels.weakShare(a, wanted.theta()) > HierarchySetup.FEW
                ? new StrengthOptions(StrengthMeasure.SIGNED, wanted.theta())
                : StrengthOptions.of(StrengthMeasure.SYMMETRIC);
    }

    /** Makes aggregates and the tentative prolongator; returns false if that gains nothing. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private boolean aggregate(Kept level, BackendMatrix a, int index, SetupTimes times) {
        int blockSize = level.space.blockSize();
        boolean directed = blockSize == 1 && strength.measure() == StrengthMeasure.SIGNED;
        if (directed) {
            level.oneSided = times.time(SetupPhase.STRENGTH, () -> kernels.oneSided(a, strength.theta()));
        }
        if (blockSize == 1) {
            group(level, a, strength, times);
        } else {
            BackendMatrix nodes = times.time(SetupPhase.STRENGTH, () -> kernels.nodes(a, blockSize));
            try (nodes) {
                group(level, nodes, strength.ofNodes(), times);
            }
        }
        remarks.cutOff(index, a.rows() / blockSize, level.groups.alone(), "node", strength);
        if (!remarks.shrinks(index, a, level.groups.count() * level.space.count(), strength)) {
            return false;
        }
        level.tentative =
                times.time(SetupPhase.PROLONGATOR, () -> kernels.tentative(level.groups, a, level.space));
        return true;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void group(Kept level, BackendMatrix couplings, StrengthOptions which, SetupTimes times) {
        if (which.measure() != StrengthMeasure.SIGNED && which.theta() == 0) {
            level.groups = times.time(SetupPhase.AGGREGATION, () -> kernels.aggregate(couplings, level.oneSided));
            return;
        }
        BackendMatrix strong = times.time(SetupPhase.STRENGTH, () -> kernels.strong(couplings, which));
        try (strong) {
            level.groups = times.time(SetupPhase.AGGREGATION, () -> kernels.aggregate(strong, level.oneSided));
        }
    }

    /** Makes prolongation, restriction and the next matrix, which it returns; adds the level. */
    @SuppressWarnings("MustBeClosed") // closed with the levels
    private BackendMatrix make(Kept level, BackendMatrix a, boolean symmetric, List<HierarchyLevel> levels,
            List<Double> radii, BackendMatrix structure, SetupTimes times) {
        BackendMatrix p = times.time(SetupPhase.PROLONGATOR, () -> prolongation(level, a, symmetric, radii));
        BackendMatrix r = null;
        try {
            r = times.time(SetupPhase.PROLONGATOR, () -> algebra.transpose(p));
            levels.add(HierarchyLevel.of(a, p, r));
        } catch (RuntimeException | Error e) {
            closeAll(p, r);
            throw e;
        }
        BackendMatrix restriction = r;
        return times.time(SetupPhase.GALERKIN, () -> {
            if (structure == null) {
                level.product = algebra.multiply(a, p);
                return kernels.coarse(algebra.multiply(restriction, level.product), restriction, symmetric);
            }
            try (BackendMatrix ap = algebra.multiplyAgain(level.product, a, p)) {
                return kernels.coarse(algebra.multiplyAgain(structure, restriction, ap), restriction, symmetric);
            }
        });
    }

    @SuppressWarnings("MustBeClosed") // closed with the levels
    private BackendMatrix prolongation(Kept level, BackendMatrix a, boolean symmetric, List<Double> radii) {
        if (options.coarsening() == Coarsening.AGGREGATION || options.damping() == 0) {
            radii.add(Double.NaN);
            return level.tentative.matrix();
        }
        BackendMatrix smoother = level.oneSided == null
                ? a
                : kernels.filtered(a, level.oneSided,
                        level.space.elements());
        try {
            double radius = kernels.radius(smoother, symmetric && level.oneSided == null);
            radii.add(level.oneSided == null ? radius : Double.NaN);
            return radius == 0
                    ? level.tentative.matrix()
                    : level.tentative.smoothed(smoother, options.damping() / radius);
        } finally {
            if (level.oneSided != null) {
                smoother.close();
            }
        }
    }

    /** Sets up the same hierarchy for other values in the same structure. */
    Hierarchy refreshed(Hierarchy old, SparseMatrix given) {
        SetupTimes times = new SetupTimes();
        List<HierarchyLevel> levels = new ArrayList<>();
        List<Double> radii = new ArrayList<>();
        BackendMatrix next = onBackend(given, times);
        try {
            requireFinite(next);
            boolean symmetric = isSymmetric(next);
            for (int l = 0; l < kept.size(); l++) {
                next = make(kept.get(l), next, symmetric, levels, radii,
                        (BackendMatrix) old.level(l + 1).stored(), times);
            }
            levels.add(HierarchyLevel.coarsest(next));
            return new Hierarchy(levels, this, given, times, old.remarks(), new Hierarchy.Found(strength, radii));
        } catch (RuntimeException | Error e) {
            closeLevels(levels, given);
            closeUnless(given, next);
            throw e;
        }
    }

    /** Returns the aggregates of a level. */
    Optional<int[]> aggregates(int index) {
        return index < kept.size() ? Optional.of(kept.get(index).groups.toHost()) : Optional.empty();
    }

    /** Closes the matrices of levels, but for one that was given. */
    static void closeLevels(List<HierarchyLevel> levels, SparseMatrix given) {
        for (HierarchyLevel level : levels) {
            closeUnless(given, (BackendMatrix) level.stored());
            if (!level.isCoarsest()) {
                closeAll((BackendMatrix) level.storedProlongation(), (BackendMatrix) level.storedRestriction());
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // one object is what is asked about
    private static void closeUnless(SparseMatrix given, BackendMatrix matrix) {
        if (matrix != given) {
            matrix.close();
        }
    }

    @Override
    public void close() {
        kept.forEach(Kept::close);
        kept.clear();
        if (space != null) {
            space.elements().close();
            space = null;
        }
    }
}
