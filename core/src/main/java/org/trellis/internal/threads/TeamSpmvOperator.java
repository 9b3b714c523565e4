package org.trellis.internal.threads;

import java.util.List;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseFormat;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * A product that a worker team runs. The first transposed product prepares the transpose, which costs a transposition,
 * a conversion and the memory of both; later ones cost what a product costs. Several vectors are multiplied from the
 * compressed sparse rows.
 */
public final class TeamSpmvOperator extends SpmvOperator {
    /** How the parts of this operator, and those it makes later, are prepared. */
    public interface Preparation {
        /**
         * Prepares the product with one vector.
         *
         * @param matrix     the matrix
         * @param parameters how to run it
         * @return its parts, which together have all rows
         */
        List<PreparedProduct> single(CsrMatrix matrix, SpmvParameters parameters);

        /**
         * Prepares the product with several vectors.
         *
         * @param matrix the matrix
         * @param count  number of vectors
         * @return its parts, which together have all rows
         */
        List<PreparedProduct> multiple(CsrMatrix matrix, int count);

        /**
         * Prepares the transposed product.
         *
         * @param transpose the transpose
         * @return an operator of it
         */
        SpmvOperator transposed(CsrMatrix transpose);
    }

    private final CsrMatrix csr;
    private final WorkerTeam team;
    private final Preparation preparation;
    private List<PreparedProduct> parts;
    private List<PreparedProduct> multiple = List.of();
    private int multipleCount;
    private SpmvOperator transposed;

    /**
     * Prepares a product.
     *
     * @param matrix      the matrix, in any format
     * @param parameters  how to run it
     * @param team        the threads
     * @param preparation prepares the parts
     */
    public TeamSpmvOperator(SparseMatrix matrix, SpmvParameters parameters, WorkerTeam team, Preparation preparation) {
        super(matrix, parameters, MemorySpace.HOST);
        this.csr = matrix.toCsr();
        this.team = team;
        this.preparation = preparation;
        this.parts = preparation.single(csr, parameters);
    }

    @Override
    public long preparedBytes() {
        return parts.stream().mapToLong(PreparedProduct::bytes).sum();
    }

    @Override
    protected void apply(double alpha, DenseVector x, double beta, DenseVector y) {
        run(parts, alpha, (HostVector) x, beta, (HostVector) y);
    }

    private void run(List<PreparedProduct> products, double alpha, HostVector x, double beta, HostVector y) {
        for (PreparedProduct product : products) {
            team.run(product.units(), unit -> product.run(unit, alpha, x, beta, y));
            product.finish(alpha, beta, y);
        }
    }

    @Override
    protected void applyTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (matrix().format() == SparseFormat.SYMMETRIC) {
            apply(alpha, x, beta, y);
            return;
        }
        if (transposed == null) {
            transposed = preparation.transposed(csr.transpose());
        }
        transposed.multiply(alpha, x, beta, y);
    }

    @Override
    protected void applyMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
        if (multipleCount != x.count()) {
            multiple = preparation.multiple(csr, x.count());
            multipleCount = x.count();
        }
        run(multiple, alpha, (HostVector) x.storage(), beta, (HostVector) y.storage());
    }

    @Override
    protected void release() {
        parts = List.of();
        multiple = List.of();
        if (transposed != null) {
            transposed.close();
        }
    }
}
