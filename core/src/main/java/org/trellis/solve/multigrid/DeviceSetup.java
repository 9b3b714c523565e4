package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * Makes the levels of a hierarchy in the memory of a backend: what {@link HierarchySetup} does on the host, with
 * {@code aggregates=mis2} if there are aggregates, and the same bits. Owns what it makes beside the levels, which a
 * refresh needs again.
 */
final class DeviceSetup implements AutoCloseable {
    private final CoarseningOptions options;
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
        backend.optionalKernels(AggregationKernels.class).ifPresent(kernels -> kernels.expectSetup(precision));
    }

    /** Says whether a backend sets such hierarchies up. */
    static boolean takes(Backend backend, CoarseningOptions options) {
        Class<?> kernels = options.coarsening() == Coarsening.CLASSICAL
                ? ClassicalKernels.class
                : AggregationKernels.class;
        return options.onBackends() && backend.optionalKernels(kernels).isPresent();
    }

    /** Says what to do where a backend does not set such hierarchies up. */
    static String whyNot(CoarseningOptions options) {
        return options.coarsening() == Coarsening.AIR
                ? "its local systems are solved on the host; setup=host works, and cycles run on any backend"
                : "it is for GPUs; setup=host works";
    }

    /** A set-up or a refresh under way. */
    private final class Run implements HierarchyBuilder {
        private final SparseMatrix given;
        /** The hierarchy of before where levels are made again, else null. */
        private final Hierarchy before;
        private final int blockSize;
        private final SetupTimes times = new SetupTimes();
        private final List<HierarchyLevel> levels = new ArrayList<>();
        private final List<Double> radii = new ArrayList<>();
        private BackendMatrix next;

        Run(SparseMatrix given, Hierarchy before, int blockSize) {
            this.given = given;
            this.before = before;
            this.blockSize = blockSize;
            this.next = onBackend(given, times);
        }

        @Override
        public void requireFinite() {
            if (!algebra.isFinite(next)) {
                HierarchySetup.requireFinite(next.toCsr());
            }
        }

        @Override
        public boolean isSymmetric() {
            return times.time(SetupPhase.STRENGTH,
                    () -> algebra.isSymmetric(next, HierarchyDriver.tolerance(precision)));
        }

        @Override
        public int blockSize() {
            return blockSize;
        }

        @Override
        public double weakShare(double theta) {
            return times.time(SetupPhase.STRENGTH, () -> kernels().weakShare(next, theta));
        }

        @Override
        public int level() {
            return levels.size();
        }

        @Override
        public long rows() {
            return next.rows();
        }

        @Override
        public boolean isDiagonal() {
            return next.nonZeros() <= next.rows();
        }

        @Override
        public Groups group(StrengthOptions which) {
            strength = which;
            kept.add(options.coarsening() == Coarsening.CLASSICAL ? classical() : aggregates());
            return kept.getLast().group(next, times);
        }

        private DeviceLevel aggregates() {
            return new DeviceAggregates(algebra, kernels(), options, strength,
                    kept.isEmpty() ? space : ((DeviceAggregates) kept.getLast()).coarseSpace());
        }

        @SuppressWarnings("MustBeClosed") // closed with the level
        private DeviceLevel classical() {
            ClassicalKernels split = backend.kernels(ClassicalKernels.class);
            return new DeviceClassical(algebra, split, options, strength.theta(), kept.isEmpty()
                    ? split.components(next.rows(), blockSize)
                    : ((DeviceClassical) kept.getLast()).coarseComponents());
        }

        @Override
        public void ungroup() {
            kept.removeLast().close();
        }

        @Override
        public void coarsen(boolean symmetric) {
            take(kept.getLast().make(next, symmetric, times));
        }

        @Override
        public boolean coarsenAgain(boolean symmetric) {
            int level = levels.size();
            if (level == kept.size()) {
                return false;
            }
            take(kept.get(level).again(next, before.level(level), (BackendMatrix) before.level(level + 1).stored(),
                    symmetric, times));
            return true;
        }

        /** Adds a level and goes on with the next one. */
        private void take(DeviceLevel.Made made) {
            levels.add(HierarchyLevel.of(next, made.prolongation(), made.restriction()));
            radii.add(made.radius());
            next = made.coarse();
        }

        Hierarchy end(List<String> said, boolean symmetric) {
            levels.add(HierarchyLevel.coarsest(next));
            return new Hierarchy(levels, DeviceSetup.this, given, times, said,
                    new Hierarchy.Found(strength, radii, symmetric, List.of()));
        }

        void abandon() {
            closeLevels(levels, given);
            closeUnless(given, next);
        }
    }

    Hierarchy run(SparseMatrix given, NearNullSpace nullSpace) {
        NearNullSpace finest = HierarchyDriver.spaceOf(given, nullSpace);
        HierarchyDriver driver = new HierarchyDriver(options);
        Run run = new Run(given, null, finest.blockSize());
        try {
            if (options.coarsening() != Coarsening.CLASSICAL) {
                space = new AggregationKernels.Vectors(upload(finest), finest.count(), finest.blockSize());
            }
            driver.run(run);
            strength = driver.strength();
            return run.end(driver.remarks(), driver.symmetric());
        } catch (RuntimeException | Error e) {
            run.abandon();
            close();
            throw e;
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

    /** Sets up the same hierarchy for other values in the same structure. */
    Hierarchy refreshed(Hierarchy old, SparseMatrix given) {
        Run run = new Run(given, old, 1);
        try {
            boolean symmetric = HierarchyDriver.again(run);
            return run.end(old.remarks(), symmetric);
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
