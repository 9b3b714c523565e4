package org.trellis.solve.smooth;

import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Permutation;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.SplitProduct;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/**
 * Eisenstat's product of a symmetric matrix {@code A = L + D + Lᵀ} with the preconditioner
 * {@code M = (E + L) E⁻¹ (E + Lᵀ)}, whose diagonal E is {@code D / ω} for SSOR and that of the pivots for an incomplete
 * factorisation that leaves the entries off the diagonal as they are.
 */
final class EisenstatProduct implements SplitProduct {
    private final CsrMatrix matrix;
    private final int[] order;
    private final HostVector scale;
    private final long bytes;
    private final SmootherKernels.PreparedSplit prepared;

    private EisenstatProduct(CsrMatrix matrix, int[] order, HostVector scale, long bytes,
            SmootherKernels.PreparedSplit prepared) {
        this.matrix = matrix;
        this.order = order;
        this.scale = scale;
        this.bytes = bytes;
        this.prepared = prepared;
    }

    /**
     * Makes the product.
     *
     * @param product  the product of the matrix
     * @param input    the matrix; symmetric
     * @param order    the order of sweeps over it
     * @param inverse  the inverse of E
     * @return the product; empty if the product is of another matrix, E is not positive, the sweeps are in several
     *         blocks or the backend has none of this kind
     */
    static Optional<SplitProduct> of(LinearOperator product, SmootherContext input, SweepOrder order,
            HostVector inverse) {
        CsrMatrix matrix = input.matrix();
        if (!isOf(product, matrix) || (order.inBlocks() && order.stages() > 1)) {
            return Optional.empty();
        }
        for (int row = 0; row < inverse.length(); row++) {
            if (!(inverse.get(row) > 0)) {
                return Optional.empty();
            }
        }
        int size = matrix.rows();
        double[] roots = new double[size];
        for (int row = 0; row < size; row++) {
            roots[row] = Math.sqrt(inverse.get(row));
        }
        SweepOrder sweeps = order.inBlocks()
                ? SweepOrder.natural(matrix, input.kernels().rowsWorthALevel())
                : order;
        int[] sorted = sweeps.permutation().orElse(null);
        SplitRows rows = split(matrix, roots, sorted, sweeps);
        return input.kernels().prepareSplit(rows).map(prepared -> new EisenstatProduct(matrix, sorted,
                HostVector.of(roots).convert(matrix.precision()), rows.bytes(), prepared));
    }

    private static boolean isOf(LinearOperator product, CsrMatrix matrix) {
        return product instanceof SpmvOperator known && matrix.equals(known.matrix());
    }

    private static SplitRows split(CsrMatrix matrix, double[] roots, int[] sorted, SweepOrder order) {
        CsrMatrix scaled = matrix.mapValues((row, column, value) -> value * roots[row] * roots[column]);
        HostVector diagonal = scaled.diagonal();
        int size = matrix.rows();
        HostVector middle = HostVector.of(matrix.precision(), size,
                stored -> diagonal.get(sorted == null ? stored : sorted[stored]) - 2);
        HostVector weights = HostVector.of(matrix.precision(), size,
                stored -> 1 / roots[sorted == null ? stored : sorted[stored]]);
        CsrMatrix ordered = scaled;
        if (sorted != null) {
            Permutation permutation = Permutation.ofOldIndices(sorted);
            ordered = scaled.permute(permutation, permutation);
        }
        return new SplitRows(ordered.lowerTriangle(-1), ordered.upperTriangle(1), SplitRows.Diagonal.of(middle),
                SplitRows.Diagonal.of(weights), order.offsets(), order.schedule());
    }

    @Override
    public boolean isOf(LinearOperator product) {
        return isOf(product, matrix);
    }

    @Override
    public Optional<int[]> order() {
        return Optional.ofNullable(order).map(int[]::clone);
    }

    @Override
    public HostVector scale() {
        return scale;
    }

    @Override
    public PreparedStep bindResidual(DenseVector r) {
        return prepared.bindResidual(r);
    }

    @Override
    public PreparedStep bindDirection(Coefficients coefficients, DenseVector residual, DenseVector split,
            DenseVector direction) {
        return prepared.bindDirection(coefficients, residual, split, direction);
    }

    @Override
    public PreparedStep bindProduct(Sums sums, DenseVector split, DenseVector direction, DenseVector residual,
            DenseVector y) {
        return prepared.bindProduct(sums, split, direction, residual, y);
    }

    @Override
    public long storedBytes() {
        return bytes;
    }

    @Override
    public void close() {
        prepared.close();
    }

    @Override
    public String toString() {
        return "Eisenstat's product of " + matrix;
    }
}
