package org.trellis.solve.multigrid;

import java.util.Optional;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** A level of aggregates in the memory of a backend: what {@link AggregationSetup} is on the host. */
final class DeviceAggregates implements DeviceLevel {
    private final MatrixAlgebra algebra;
    private final AggregationKernels kernels;
    private final CoarseningOptions options;
    private final StrengthOptions strength;
    private final AggregationKernels.Vectors space;
    private final boolean directed;
    private AggregationKernels.Groups groups;
    private AggregationKernels.Tentative tentative;
    private BackendMatrix oneSided;
    private BackendMatrix product;
    /** The next matrix before it was thinned out, for its structure; null where it is not. */
    private BackendMatrix whole;

    DeviceAggregates(MatrixAlgebra algebra, AggregationKernels kernels, CoarseningOptions options,
            StrengthOptions strength, AggregationKernels.Vectors space) {
        this.algebra = algebra;
        this.kernels = kernels;
        this.options = options;
        this.strength = strength;
        this.space = space;
        this.directed = strength.directed(space.blockSize());
    }

    /** Aggregates the nodes of a matrix. */
    @Override
    public HierarchyBuilder.Groups group(BackendMatrix a, SetupTimes times) {
        aggregate(a, times);
        return new HierarchyBuilder.Groups(HierarchyBuilder.Groups.Kind.NODE, a.rows() / space.blockSize(),
                groups.alone(), (long) groups.count() * space.count());
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void aggregate(BackendMatrix a, SetupTimes times) {
        int blockSize = space.blockSize();
        if (directed) {
            oneSided = times.time(SetupPhase.STRENGTH, () -> kernels.oneSided(a, strength.theta()));
        }
        if (blockSize == 1) {
            group(a, strength, times);
            return;
        }
        BackendMatrix nodes = times.time(SetupPhase.STRENGTH, () -> kernels.nodes(a, blockSize));
        try (nodes) {
            group(nodes, strength.ofNodes(), times);
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void group(BackendMatrix couplings, StrengthOptions which, SetupTimes times) {
        if (which.measure() != StrengthMeasure.SIGNED && which.theta() == 0) {
            groups = times.time(SetupPhase.AGGREGATION, () -> kernels.aggregate(couplings, oneSided));
            return;
        }
        BackendMatrix strong = times.time(SetupPhase.STRENGTH, () -> kernels.strong(couplings, which));
        try (strong) {
            groups = times.time(SetupPhase.AGGREGATION, () -> kernels.aggregate(strong, oneSided));
        }
    }

    /** Returns the near null space of the next level, once that is made. */
    AggregationKernels.Vectors coarseSpace() {
        return tentative.coarse();
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the levels, or with this
    public Made make(BackendMatrix a, boolean symmetric, SetupTimes times) {
        tentative = times.time(SetupPhase.PROLONGATOR, () -> kernels.tentative(groups, a, space));
        Smoothed smoothed = times.time(SetupPhase.PROLONGATOR, () -> prolongation(a, symmetric, null));
        BackendMatrix p = smoothed.matrix();
        BackendMatrix r = null;
        try {
            r = times.time(SetupPhase.PROLONGATOR, () -> algebra.transpose(p));
            BackendMatrix restriction = r;
            BackendMatrix coarse = times.time(SetupPhase.GALERKIN, () -> {
                product = algebra.multiply(a, p);
                BackendMatrix found =
                        kernels.coarse(algebra.multiply(restriction, product), restriction, symmetric);
                return symmetric && isThinned() ? thinned(found) : found;
            });
            return new Made(p, r, coarse, smoothed.radius());
        } catch (RuntimeException | Error e) {
            DeviceLevel.closeAll(p, r);
            throw e;
        }
    }

    private boolean isThinned() {
        return directed && space.count() == 1 && options.parallel() && options.truncation() > 0;
    }

    @SuppressWarnings("MustBeClosed") // returned
    private BackendMatrix thinned(BackendMatrix coarse) {
        whole = coarse;
        return kernels.thinned(coarse, tentative.coarse().elements(), options.truncation());
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the levels
    public Made again(BackendMatrix a, HierarchyLevel before, BackendMatrix coarse, boolean symmetric,
            SetupTimes times) {
        Smoothed smoothed = times.time(SetupPhase.PROLONGATOR,
                () -> prolongation(a, symmetric, (BackendMatrix) before.storedProlongation()));
        BackendMatrix p = smoothed.matrix();
        BackendMatrix r = null;
        try {
            r = times.time(SetupPhase.PROLONGATOR,
                    () -> algebra.transposeAgain((BackendMatrix) before.storedRestriction(), p));
            BackendMatrix restriction = r;
            return new Made(p, r, times.time(SetupPhase.GALERKIN,
                    () -> coarseAgain(a, p, restriction, coarse, symmetric)), smoothed.radius());
        } catch (RuntimeException | Error e) {
            DeviceLevel.closeAll(p, r);
            throw e;
        }
    }

    @SuppressWarnings("MustBeClosed") // returned
    private BackendMatrix coarseAgain(BackendMatrix a, BackendMatrix p, BackendMatrix r, BackendMatrix structure,
            boolean symmetric) {
        BackendMatrix found;
        try (BackendMatrix ap = algebra.multiplyAgain(product, a, p)) {
            found = kernels.coarse(algebra.multiplyAgain(whole == null ? structure : whole, r, ap), r, symmetric);
        }
        if (whole == null) {
            return found;
        }
        try (found) {
            return kernels.thinnedAgain(structure, found, tentative.coarse().elements());
        }
    }

    /** A prolongator, and the radius of the level's matrix if it was found on the way. */
    private record Smoothed(BackendMatrix matrix, double radius) {}

    @SuppressWarnings("MustBeClosed") // closed with the levels
    private Smoothed prolongation(BackendMatrix a, boolean symmetric, BackendMatrix structure) {
        if (options.prolongatorDamping() == 0) {
            return new Smoothed(tentative.matrix(), Double.NaN);
        }
        BackendMatrix smoother = oneSided == null ? a : kernels.filtered(a, oneSided, space.elements());
        try {
            double radius = kernels.radius(smoother, symmetric && oneSided == null);
            return new Smoothed(radius == 0
                    ? tentative.matrix()
                    : tentative.smoothed(smoother, options.smoothing().damping() / radius, structure),
                    oneSided == null ? radius : Double.NaN);
        } finally {
            if (oneSided != null) {
                smoother.close();
            }
        }
    }

    @Override
    public Optional<int[]> aggregates() {
        return Optional.of(groups.toHost());
    }

    @Override
    public void close() {
        if (groups != null) {
            groups.close();
        }
        if (tentative != null) {
            tentative.close();
        }
        DeviceLevel.closeAll(oneSided, product, whole);
    }
}
