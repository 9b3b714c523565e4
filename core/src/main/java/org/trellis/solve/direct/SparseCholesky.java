package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * The Cholesky factorisation {@code P A Pᵀ = L Lᵀ} of a sparse symmetric positive definite matrix, by the multifrontal
 * method (I. Duff, J. Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM Trans.
 * Math. Softw. 9, 1983) over supernodes: each supernode gathers its entries and the updates of its children in a dense
 * matrix, of which the columns of the supernode are eliminated; what is left is its own update. Large dense matrices
 * are worked on by several threads. The same bits however many there are.
 *
 * <p>Everything is computed in double precision, also for a matrix of floats. Immutable; {@link #solve} may be called
 * from several threads.
 *
 * <p>Memory: 8 bytes for each entry of the factor, as much again at worst for updates under way, and 8 bytes for each
 * element of the greatest dense matrix.
 */
public final class SparseCholesky {
    /** A pivot of no more than this times the diagonal element is a rounding error. */
    private static final double SMALLEST_SHARE = 0x1p-48;
    private static final double SYMMETRY_TOLERANCE = 0x1p-20;

    private final SymbolicCholesky symbolic;
    private final double[][] factors;
    private final long nonZeros;
    private final double operations;

    private SparseCholesky(SymbolicCholesky symbolic, double[][] factors) {
        this.symbolic = symbolic;
        this.factors = factors;
        this.nonZeros = symbolic.nonZeros();
        this.operations = symbolic.operations();
    }

    /**
     * Factorises a matrix in the order of {@link FillReduction#MINIMUM_DEGREE}.
     *
     * @param matrix a symmetric positive definite matrix
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square or not symmetric
     * @throws FactorisationException   if it is not positive definite or nearly singular; names row and pivot
     */
    public static SparseCholesky of(CsrMatrix matrix) {
        return of(matrix, FillReduction.MINIMUM_DEGREE);
    }

    /**
     * Factorises a matrix.
     *
     * @param matrix a symmetric positive definite matrix of fewer than 2³¹ non-zeros
     * @param order  the order of elimination
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square or not symmetric
     * @throws FactorisationException   if it is not positive definite or nearly singular; names row and pivot
     */
    public static SparseCholesky of(CsrMatrix matrix, FillReduction order) {
        if (matrix.rows() != matrix.columns() || !matrix.closeTo(matrix.transpose(), SYMMETRY_TOLERANCE, 0)) {
            throw new IllegalArgumentException("Cholesky factorisation of " + matrix
                    + ", expected a square matrix that equals its transpose");
        }
        SymbolicCholesky symbolic = SymbolicCholesky.of(matrix, order.eliminate(FillReduction.graph(matrix)));
        double[][] factors = new Numeric(symbolic).run();
        symbolic.dropMatrix();
        return new SparseCholesky(symbolic, factors);
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int size() {
        return symbolic.size();
    }

    /**
     * Returns the number of entries of the factor, zeros that supernodes bring along included.
     *
     * @return at least {@link #size}
     */
    public long nonZeros() {
        return nonZeros;
    }

    /**
     * Returns what the factorisation cost.
     *
     * @return multiplications and additions together
     */
    public double operations() {
        return operations;
    }

    /**
     * Returns the order of elimination.
     *
     * @return where each row of the matrix went
     */
    public Permutation order() {
        return Permutation.ofOldIndices(symbolic.order());
    }

    /**
     * Solves {@code A x = b}. Costs two passes over the factor.
     *
     * @param b the right-hand side
     * @return the solution, a new vector of the precision of {@code b}
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public HostVector solve(HostVector b) {
        double[] x = solve(b.toDoubleArray());
        return HostVector.of(x).convert(b.precision());
    }

    /**
     * Solves {@code A x = b}. Costs two passes over the factor.
     *
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public double[] solve(double[] b) {
        Checks.length("length of b", b.length, size());
        int[] order = symbolic.order();
        double[] y = new double[b.length];
        for (int k = 0; k < y.length; k++) {
            y[k] = b[order[k]];
        }
        for (int s = 0; s < factors.length; s++) {
            forward(s, y);
        }
        for (int s = factors.length - 1; s >= 0; s--) {
            backward(s, y);
        }
        double[] x = new double[b.length];
        for (int k = 0; k < y.length; k++) {
            x[order[k]] = y[k];
        }
        return x;
    }

    private void forward(int s, double[] y) {
        int[] rows = symbolic.rows(s);
        double[] l = factors[s];
        int at = 0;
        for (int j = 0; j < symbolic.width(s); j++) {
            double solved = y[rows[j]] / l[at++];
            y[rows[j]] = solved;
            for (int i = j + 1; i < rows.length; i++) {
                y[rows[i]] -= l[at++] * solved;
            }
        }
    }

    private void backward(int s, double[] y) {
        int[] rows = symbolic.rows(s);
        double[] l = factors[s];
        int end = l.length;
        for (int j = symbolic.width(s) - 1; j >= 0; j--) {
            int start = end - (rows.length - j);
            double sum = y[rows[j]];
            for (int i = j + 1; i < rows.length; i++) {
                sum -= l[start + i - j] * y[rows[i]];
            }
            y[rows[j]] = sum / l[start];
            end = start;
        }
    }

    @Override
    public String toString() {
        return "Cholesky factorisation of " + size() + " rows, " + nonZeros + " non-zeros in " + factors.length
                + " supernodes, " + operations + " operations";
    }

    /** The numbers, supernode by supernode. */
    private static final class Numeric {
        private final SymbolicCholesky symbolic;
        private final double[][] workspace;
        private final int[] local;
        private final double[][] factors;
        private final double[][] updates;
        private final int[] lastChild;
        private final int[] sibling;

        Numeric(SymbolicCholesky symbolic) {
            int greatest = symbolic.greatestFront();
            this.symbolic = symbolic;
            this.workspace = new double[greatest][greatest];
            this.local = new int[symbolic.size()];
            this.factors = new double[symbolic.supernodes()][];
            this.updates = new double[symbolic.supernodes()][];
            this.lastChild = new int[symbolic.supernodes()];
            this.sibling = new int[symbolic.supernodes()];
            Arrays.fill(lastChild, -1);
        }

        double[][] run() {
            for (int s = 0; s < factors.length; s++) {
                int[] rows = symbolic.rows(s);
                int width = symbolic.width(s);
                for (int i = 0; i < rows.length; i++) {
                    local[rows[i]] = i;
                    Arrays.fill(workspace[i], i, rows.length, 0);
                }
                double[] smallest = gather(s, width);
                for (int child = lastChild[s]; child >= 0; child = sibling[child]) {
                    add(child);
                }
                int failed = new DenseFront(workspace, rows.length).eliminate(width, smallest);
                if (failed >= 0) {
                    throw notDefinite(rows[failed], workspace[failed][failed], smallest[failed] / SMALLEST_SHARE);
                }
                factors[s] = packed(0, width, rows.length);
                int parent = symbolic.parent(s);
                if (parent >= 0) {
                    updates[s] = packed(width, rows.length, rows.length);
                    sibling[s] = lastChild[parent];
                    lastChild[parent] = s;
                }
            }
            return factors;
        }

        /** Puts the entries of the matrix in their places; returns what pivots must exceed. */
        private double[] gather(int s, int width) {
            double[] smallest = new double[width];
            for (int j = 0; j < width; j++) {
                int column = symbolic.firstColumn(s) + j;
                for (int k = symbolic.offsets()[column]; k < symbolic.offsets()[column + 1]; k++) {
                    int row = symbolic.columns()[k];
                    if (row >= column) {
                        workspace[j][local[row]] += symbolic.values()[k];
                    }
                }
                smallest[j] = SMALLEST_SHARE * Math.abs(workspace[j][j]);
            }
            return smallest;
        }

        private void add(int child) {
            int[] rows = symbolic.rows(child);
            int width = symbolic.width(child);
            int[] places = new int[rows.length - width];
            for (int i = 0; i < places.length; i++) {
                places[i] = local[rows[width + i]];
            }
            double[] update = updates[child];
            int at = 0;
            for (int j = 0; j < places.length; j++) {
                double[] column = workspace[places[j]];
                for (int i = j; i < places.length; i++) {
                    column[places[i]] += update[at++];
                }
            }
            updates[child] = null;
        }

        private double[] packed(int fromColumn, int toColumn, int size) {
            long length = 0;
            for (int j = fromColumn; j < toColumn; j++) {
                length += size - j;
            }
            double[] result = new double[Math.toIntExact(length)];
            int at = 0;
            for (int j = fromColumn; j < toColumn; j++) {
                System.arraycopy(workspace[j], j, result, at, size - j);
                at += size - j;
            }
            return result;
        }

        private FactorisationException notDefinite(int step, double pivot, double diagonal) {
            int row = symbolic.order()[step];
            return new FactorisationException(
                    "Cholesky factorisation: the pivot of row " + row + ", eliminated in step "
                            + step + ", is " + pivot + ", its diagonal element " + diagonal
                            + " in absolute value: the matrix is not positive definite or nearly singular",
                    row, pivot);
        }
    }
}
