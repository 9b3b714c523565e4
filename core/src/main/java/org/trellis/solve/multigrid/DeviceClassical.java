package org.trellis.solve.multigrid;

import java.util.Optional;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** A level made of a part of the unknowns in the memory of a backend: what {@link ClassicalSetup} is on the host. */
final class DeviceClassical implements DeviceLevel {
    private final MatrixAlgebra algebra;
    private final ClassicalKernels kernels;
    private final CoarseningOptions options;
    private final double theta;
    private final ClassicalKernels.Components components;
    private BackendMatrix strong;
    private ClassicalKernels.Points points;
    /** A P, and R A P before it was made symmetric, for their structures; the latter null if it was not. */
    private BackendMatrix product;
    private BackendMatrix raw;

    /** Takes over the components of the level's unknowns. */
    DeviceClassical(MatrixAlgebra algebra, ClassicalKernels kernels, CoarseningOptions options, double theta,
            ClassicalKernels.Components components) {
        this.theta = theta;
        this.algebra = algebra;
        this.kernels = kernels;
        this.options = options;
        this.components = components;
    }

    /** Decides which unknowns stay. */
    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public HierarchyBuilder.Groups group(BackendMatrix a, SetupTimes times) {
        strong = times.time(SetupPhase.STRENGTH,
                () -> kernels.strong(a, theta, options.classical().rowSum(), components));
        points = times.time(SetupPhase.AGGREGATION, () -> kernels.split(strong));
        return new HierarchyBuilder.Groups(HierarchyBuilder.Groups.Kind.ROW, a.rows(), kernels.cutOff(a, strong),
                points.count());
    }

    /** Returns the components of the next level's unknowns, which the caller closes. */
    @SuppressWarnings("MustBeClosed") // returned
    ClassicalKernels.Components coarseComponents() {
        return kernels.coarse(components, points);
    }

    @Override
    public Made make(BackendMatrix a, boolean symmetric, SetupTimes times) {
        return make(a, null, null, symmetric, times);
    }

    /** Weights that fall to other places than before are set up with structures of their own. */
    @Override
    public Made again(BackendMatrix a, HierarchyLevel before, BackendMatrix coarse, boolean symmetric,
            SetupTimes times) {
        return make(a, before, coarse, symmetric, times);
    }

    @SuppressWarnings("MustBeClosed") // closed with the levels
    private Made make(BackendMatrix a, HierarchyLevel before, BackendMatrix next, boolean symmetric,
            SetupTimes times) {
        ClassicalKernels.Splitted splitted = new ClassicalKernels.Splitted(points, components);
        ClassicalKernels.Limits limits =
                new ClassicalKernels.Limits(options.classical().interpolation(), options.truncation());
        BackendMatrix p =
                times.time(SetupPhase.PROLONGATOR, () -> kernels.interpolation(a, strong, splitted, limits));
        BackendMatrix r = null;
        try {
            boolean known = before != null && kernels.samePattern(p, (BackendMatrix) before.storedProlongation())
                    && kernels.samePattern(a, (BackendMatrix) before.stored());
            r = times.time(SetupPhase.PROLONGATOR, () -> known
                    ? algebra.transposeAgain((BackendMatrix) before.storedRestriction(), p)
                    : algebra.transpose(p));
            BackendMatrix restriction = r;
            return new Made(p, r,
                    times.time(SetupPhase.GALERKIN, () -> coarse(a, p, restriction, known ? next : null, symmetric)),
                    Double.NaN);
        } catch (RuntimeException | Error e) {
            DeviceLevel.closeAll(p, r);
            throw e;
        }
    }

    /** Multiplies in known structures if there is a next matrix as it was. */
    @SuppressWarnings("MustBeClosed") // returned, or closed with this
    private BackendMatrix coarse(BackendMatrix a, BackendMatrix p, BackendMatrix r, BackendMatrix next,
            boolean symmetric) {
        if (next != null) {
            BackendMatrix coarse;
            try (BackendMatrix ap = algebra.multiplyAgain(product, a, p)) {
                coarse = algebra.multiplyAgain(raw == null ? next : raw, r, ap);
            }
            if (!symmetric) {
                return coarse;
            }
            try (coarse) {
                return kernels.symmetrised(coarse);
            }
        }
        DeviceLevel.closeAll(product, raw);
        product = null;
        raw = null;
        product = algebra.multiply(a, p);
        BackendMatrix coarse = algebra.multiply(r, product);
        if (!symmetric) {
            return coarse;
        }
        raw = coarse;
        return kernels.symmetrised(coarse);
    }

    @Override
    public Optional<int[]> aggregates() {
        return Optional.empty();
    }

    @Override
    public void close() {
        components.close();
        if (points != null) {
            points.close();
        }
        DeviceLevel.closeAll(strong, product, raw);
    }
}
