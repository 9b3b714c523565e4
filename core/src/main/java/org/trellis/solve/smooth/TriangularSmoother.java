package org.trellis.solve.smooth;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.SplitProduct;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/**
 * Solves with incomplete factors: exactly, level by level, or by a few Jacobi iterations for each triangle, which are
 * products and so as parallel as these (H. Anzt, E. Chow, J. Dongarra, Euro-Par 2015). Iterations give exact solutions
 * once there are as many as levels.
 */
final class TriangularSmoother extends StepSmoother {
    /** How triangles are solved: iterations of Jacobi's method, or 0 for exactly. */
    record Solution(int iterations) {}

    private final String name;
    private final boolean symmetric;
    private final Solution solution;
    private final HostVector pivots;
    /** Of both triangles, where the matrix may be taken in the same sweeps. */
    private SweepOrder order;
    private SmootherKernels.Visit down;
    private SmootherKernels.Visit up;
    private SmootherKernels.PreparedRows lower;
    private SmootherKernels.PreparedRows upper;
    private DenseVector lowerInverse;
    private DenseVector upperInverse;
    private SpmvOperator scaledLower;
    private SpmvOperator scaledUpper;

    /**
     * Creates a smoother.
     *
     * @param input     the matrix
     * @param name      what it is called, with what matters of the factorisation
     * @param factors   the factors
     * @param solution  how triangles are solved
     * @param symmetric whether the factors are each other's transposes
     * @param sweeps    sweeps in an application
     */
    TriangularSmoother(SmootherContext input, String name, IncompleteFactors factors, Solution solution,
            boolean symmetric, int sweeps) {
        super(input, sweeps);
        this.name = name;
        this.symmetric = symmetric;
        this.solution = solution;
        this.pivots = factors.pivotInverse();
        orClose(() -> {
            if (factors.before() != null) {
                before = product(factors.before());
                after = product(factors.after());
                given = workVector();
                solved = workVector();
            }
            if (solution.iterations() == 0) {
                prepareLevels(factors);
            } else {
                prepareProducts(factors);
            }
        });
    }

    private void prepareLevels(IncompleteFactors factors) {
        SweepOrder first;
        SweepOrder last;
        if (pivots != null) {
            order = SweepOrder.natural(factors.triangles(), kernels());
            first = order;
            last = order;
        } else {
            // Each triangle has levels of its own, which are fewer than those of both.
            first = SweepOrder.natural(factors.triangles().lowerTriangle(-1), kernels());
            last = SweepOrder.natural(factors.triangles().upperTriangle(1), kernels());
        }
        lower = own(first.take(SweepOrder.Part.LOWER, factors.lowerInverse()));
        upper = own(last.take(SweepOrder.Part.UPPER, factors.upperInverse()));
        down = first.all(false);
        up = last.all(true);
    }

    private void prepareProducts(IncompleteFactors factors) {
        lowerInverse = factors.lowerInverse() == null ? null : own(input().upload(factors.lowerInverse()));
        upperInverse = own(input().upload(factors.upperInverse()));
        scaledLower = product(scaled(factors.triangles().lowerTriangle(-1), factors.lowerInverse()));
        scaledUpper = product(scaled(factors.triangles().upperTriangle(1), factors.upperInverse()));
    }

    private static CsrMatrix scaled(CsrMatrix triangle, HostVector factors) {
        return factors == null ? triangle : triangle.scaleRows(factors);
    }

    private DenseVector first;
    private DenseVector second;
    private DenseVector right;
    /** Orders, and the vectors between them, where rows and columns were moved. */
    private SpmvOperator before;
    private SpmvOperator after;
    private DenseVector given;
    private DenseVector solved;

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the steps
    void addApplication(DenseVector r, DenseVector z, SmootherSteps steps) {
        if (before == null) {
            addTriangles(r, z, steps);
            return;
        }
        steps.add(before.bind(1, r, 0, given));
        addTriangles(given, solved, steps);
        steps.add(after.bind(1, solved, 0, z));
    }

    private void addTriangles(DenseVector r, DenseVector z, SmootherSteps steps) {
        if (solution.iterations() == 0) {
            steps.add(lower.bind(0, 1, r, z, down));
            steps.add(upper.bind(0, 1, z, z, up));
            return;
        }
        if (first == null) {
            first = workVector();
            second = workVector();
            right = workVector();
        }
        steps.add(update(1, lowerInverse, r, 0, right));
        DenseVector y = iterate(scaledLower, steps);
        steps.add(update(1, upperInverse, y, 0, right));
        steps.add(update(1, null, iterate(scaledUpper, steps), 0, z));
    }

    /** Adds iterations {@code y = g − T y}, from y = g; returns where the last y is. */
    @SuppressWarnings("MustBeClosed") // closed with the steps
    private DenseVector iterate(SpmvOperator triangle, SmootherSteps steps) {
        DenseVector from = right;
        DenseVector to = first;
        for (int i = 0; i < solution.iterations(); i++) {
            steps.add(update(1, null, right, 0, to));
            steps.add(triangle.bind(-1, from, 1, to));
            from = to;
            to = i % 2 == 0 ? second : first;
        }
        return from;
    }

    /** For one exact application of factors whose entries off the diagonal are those of the matrix. */
    @Override
    public Optional<SplitProduct> split(LinearOperator product) {
        if (sweeps() > 1 || !symmetric || order == null || pivots == null) {
            return Optional.empty();
        }
        return EisenstatProduct.of(product, input(), order, pivots);
    }

    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    public String describe() {
        return name + ", triangular="
                + (solution.iterations() == 0 ? "levels" : "iterated, iterations=" + solution.iterations())
                + ", sweeps=" + sweeps();
    }
}
