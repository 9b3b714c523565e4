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
 * Sets up a hierarchy in the memory of a backend: what {@link HierarchySetup} does on the host, with
 * {@code aggregates=mis2} if there are aggregates, and the same bits. Owns what it makes beside the levels, which a
 * refresh needs again.
 */
final class DeviceSetup implements AutoCloseable {
    private final CoarseningOptions options;
    private final SetupRemarks remarks = new SetupRemarks();
    private final Backend backend;
    private final MatrixAlgebra algebra;
    private final Precision precision;
    private final List<DeviceLevel> kept = new ArrayList<>();
    private AggregationKernels.Vectors space;
    private StrengthOptions strength;

    DeviceSetup(CoarseningOptions options, Backend backend, Precision precision) {
        this.options = options;
        this.precision = precision;
        this.backend = backend;
        this.algebra = backend.kernels(MatrixAlgebra.class);
    }

    /** Says whether a backend sets such hierarchies up. */
    static boolean takes(Backend backend, CoarseningOptions options) {
        return options.coarsening() == Coarsening.CLASSICAL
                ? backend.optionalKernels(ClassicalKernels.class).isPresent()
                : backend.optionalKernels(AggregationKernels.class).isPresent();
    }

    /** A set-up or a refresh under way. */
    private final class Run {
        private final SparseMatrix given;
        private final SetupTimes times = new SetupTimes();
        private final List<HierarchyLevel> levels = new ArrayList<>();
        private final List<Double> radii = new ArrayList<>();
        private BackendMatrix next;
        private boolean symmetric;

        Run(SparseMatrix given) {
            this.given = given;
            this.next = onBackend(given, times);
        }

        void look() {
            requireFinite(next);
            symmetric = times.time(SetupPhase.STRENGTH,
                    () -> algebra.isSymmetric(next, HierarchySetup.tolerance(precision)));
        }

        boolean goesOn() {
            return levels.size() + 1 < options.maximumLevels() && next.rows() > options.coarseRows();
        }

        /** Adds a level and goes on with the next one. */
        void take(DeviceLevel.Made made) {
            levels.add(HierarchyLevel.of(next, made.prolongation(), made.restriction()));
            radii.add(made.radius());
            next = made.coarse();
        }

        Hierarchy end(List<String> said) {
            levels.add(HierarchyLevel.coarsest(next));
            return new Hierarchy(levels, DeviceSetup.this, given, times, said,
                    new Hierarchy.Found(strength, radii, symmetric));
        }

        void abandon() {
            closeLevels(levels, given);
            closeUnless(given, next);
        }
    }

    Hierarchy run(SparseMatrix given, NearNullSpace nullSpace) {
        if (given.rows() != given.columns()) {
            throw new IllegalArgumentException("multigrid for " + given + ", expected a square matrix");
        }
        NearNullSpace finest = nullSpace == null ? NearNullSpace.constants(given.rows(), 1) : nullSpace;
        Checks.length("length of the near null space", finest.rows(), given.rows());
        Run run = new Run(given);
        try {
            run.look();
            strength = run.times.time(SetupPhase.STRENGTH, () -> strength(run.next, finest.blockSize()));
            if (options.coarsening() == Coarsening.CLASSICAL) {
                classical(run, finest.blockSize());
            } else {
                aggregate(run, finest);
            }
            return run.end(remarks.list());
        } catch (RuntimeException | Error e) {
            run.abandon();
            close();
            throw e;
        }
    }

    private void aggregate(Run run, NearNullSpace finest) {
        space = new AggregationKernels.Vectors(upload(finest), finest.count(), finest.blockSize());
        AggregationKernels.Vectors vectors = space;
        while (run.goesOn()) {
            DeviceAggregates level = new DeviceAggregates(algebra, kernels(), options, strength, vectors);
            kept.add(level);
            level.aggregate(run.next, run.times);
            remarks.cutOff(run.levels.size(), run.next.rows() / vectors.blockSize(), level.alone(), "node", strength);
            if (!remarks.shrinks(run.levels.size(), run.next, level.rows(), strength)) {
                kept.removeLast().close();
                return;
            }
            vectors = level.orthogonalise(run.next, run.times);
            run.take(level.make(run.next, run.symmetric, run.times));
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void classical(Run run, int blockSize) {
        ClassicalKernels split = backend.kernels(ClassicalKernels.class);
        DeviceClassical finer = null;
        while (run.goesOn()) {
            DeviceClassical level = new DeviceClassical(algebra, split, options,
                    finer == null ? split.components(run.next.rows(), blockSize) : finer.coarseComponents());
            kept.add(level);
            level.split(run.next, strength.theta(), run.times);
            remarks.cutOff(run.levels.size(), run.next.rows(), level.cutOff(run.next), "row", strength);
            if (!remarks.shrinks(run.levels.size(), run.next, level.rows(), strength)) {
                kept.removeLast().close();
                return;
            }
            run.take(level.make(run.next, run.symmetric, run.times));
            finer = level;
        }
    }

    private AggregationKernels kernels() {
        return backend.kernels(AggregationKernels.class);
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
                kernels().fill(vectors, 1);
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

    private StrengthOptions strength(BackendMatrix a, int blockSize) {
        StrengthOptions wanted = options.strength();
        if (wanted.measure() != StrengthMeasure.AUTOMATIC) {
            if (options.coarsening() != Coarsening.CLASSICAL) {
                HierarchySetup.requirePossible(wanted, blockSize);
            }
            return wanted;
        }
        return blockSize == 1 && kernels().weakShare(a, wanted.theta()) > HierarchySetup.FEW
                ? new StrengthOptions(StrengthMeasure.SIGNED, wanted.theta())
                : StrengthOptions.of(StrengthMeasure.SYMMETRIC);
    }

    /** Sets up the same hierarchy for other values in the same structure. */
    Hierarchy refreshed(Hierarchy old, SparseMatrix given) {
        Run run = new Run(given);
        try {
            run.look();
            for (int l = 0; l < kept.size(); l++) {
                run.take(kept.get(l).again(run.next, old.level(l), (BackendMatrix) old.level(l + 1).stored(),
                        run.symmetric, run.times));
            }
            return run.end(old.remarks());
        } catch (RuntimeException | Error e) {
            run.abandon();
            throw e;
        }
    }

    /** Returns the aggregates of a level. */
    Optional<int[]> aggregates(int index) {
        return index < kept.size() ? kept.get(index).aggregates() : Optional.empty();
    }

    /** Closes the matrices of levels, but for one that was given. */
    static void closeLevels(List<HierarchyLevel> levels, SparseMatrix given) {
        for (HierarchyLevel level : levels) {
            closeUnless(given, (BackendMatrix) level.stored());
            if (!level.isCoarsest()) {
                DeviceLevel.closeAll((BackendMatrix) level.storedProlongation(),
                        (BackendMatrix) level.storedRestriction());
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
        kept.forEach(DeviceLevel::close);
        kept.clear();
        if (space != null) {
            space.elements().close();
            space = null;
        }
    }
}
