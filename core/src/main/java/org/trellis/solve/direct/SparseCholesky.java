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
 * <p>Everything is computed in double precision, also for a matrix of floats. {@link #refactorise} takes other values
 * in place; apart from that nothing changes, and solutions may be found from several threads.
 *
 * <p>Memory: 8 bytes for each entry of the factor, as much again at worst for updates under way, and 8 bytes for each
 * element of the greatest dense matrix.
 */
public final class SparseCholesky {
    /** A pivot of no more than this times the diagonal element is a rounding error. */
    private static final double SMALLEST_SHARE = 0x1p-48;
    /** What one array may have in any virtual machine. */
    private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

    private final SymmetricAnalysis analysis;
    private final SymbolicCholesky symbolic;
    private final SupernodalFactor factor;
    private final long nonZeros;
    private final double operations;
    private Numeric again;
    private double seconds;
    private boolean broken;

    SparseCholesky(SymmetricAnalysis analysis, CsrMatrix matrix) {
        this.analysis = analysis;
        this.symbolic = analysis.symbolic();
        this.nonZeros = symbolic.nonZeros();
        this.operations = symbolic.operations();
        this.factor = new SupernodalFactor(symbolic.supernodes());
        FactorMeter meter = analysis.meter("Cholesky factorisation");
        new Numeric(symbolic, factor, meter).run(matrix, meter);
        this.seconds = meter.seconds();
    }

    /**
     * Factorises a matrix in the order of {@link FillReduction#MINIMUM_DEGREE}.
     *
     * @param matrix a symmetric positive definite matrix
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if it is not positive definite or nearly singular, with row and pivot, or its
     *                                  factor does not fit into the heap
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
     * @throws IllegalArgumentException if the matrix is not square, not symmetric or not finite
     * @throws FactorisationException   if it is not positive definite or nearly singular, with row and pivot, or its
     *                                  factor does not fit into the heap
     */
    public static SparseCholesky of(CsrMatrix matrix, FillReduction order) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("Cholesky factorisation of " + matrix
                    + ", expected a square matrix that equals its transpose");
        }
        return SymmetricAnalysis.of(matrix, order, FactorLimits.ofHeap()).cholesky(matrix);
    }

    /**
     * Factorises a matrix of the same structure in place of the one before. The first call allocates work space, later
     * ones nothing that grows with the matrix.
     *
     * @param matrix a symmetric positive definite matrix
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite; the
     *                                  factor stays as it is
     * @throws FactorisationException   if it is not positive definite or nearly singular, or the time is over; there is
     *                                  no factor then until another matrix is factorised
     */
    public void refactorise(CsrMatrix matrix) {
        FactorMeter meter = analysis.meter("Cholesky factorisation");
        if (again == null) {
            again = new Numeric(symbolic, factor, meter);
        }
        again.load(matrix);
        broken = true;
        again.run(meter);
        broken = false;
        seconds = meter.seconds();
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
     * Returns how long the last factorisation took, without the analysis.
     *
     * @return seconds
     */
    public double seconds() {
        return seconds;
    }

    /**
     * Returns the analysis.
     *
     * @return what the factorisation was made by
     */
    public SymmetricAnalysis analysis() {
        return analysis;
    }

    /**
     * Returns the order of elimination.
     *
     * @return where each row of the matrix went
     */
    public Permutation order() {
        return analysis.order();
    }

    /**
     * Computes the determinant. Costs a pass over the diagonal of the factor.
     *
     * @return positive
     * @throws IllegalStateException if {@link #refactorise} failed
     */
    public Determinant determinant() {
        requireWhole();
        Determinant determinant = Determinant.ONE;
        for (int s = 0; s < symbolic.supernodes(); s++) {
            int at = 0;
            for (int j = 0; j < factor.widths()[s]; j++) {
                double root = factor.values()[s][at];
                determinant = determinant.times(root).times(root);
                at += factor.rows()[s].length - j;
            }
        }
        return determinant;
    }

    /**
     * Estimates the reciprocal condition by {@link ConditionEstimate}. Costs up to eleven solutions.
     *
     * @param matrix the matrix that was factorised
     * @return between 0 and 1
     * @throws IllegalArgumentException if the matrix has another number of rows
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public double reciprocalCondition(CsrMatrix matrix) {
        Checks.length("rows of the matrix", matrix.rows(), size());
        SymmetricSolver solver = solver();
        return ConditionEstimate.reciprocal(matrix, solver::solve, solver::solve);
    }

    /**
     * Makes a solver with work space of its own: in place, several right-hand sides at once, refined.
     *
     * @return a solver for one thread
     */
    public SymmetricSolver solver() {
        double[] scale = new double[size()];
        Arrays.fill(scale, 1);
        return new SymmetricSolver(new SymmetricSolver.Factors() {
            @Override
            public int[] order() {
                return symbolic.order();
            }

            @Override
            public double[] scale() {
                return scale;
            }

            @Override
            public void solve(double[] y, boolean four) {
                factor.forward(y, four);
                factor.backward(y, four);
            }

            @Override
            public void requireWhole() {
                SparseCholesky.this.requireWhole();
            }

            @Override
            public String toString() {
                return SparseCholesky.this.toString();
            }
        });
    }

    private void requireWhole() {
        if (broken) {
            throw new IllegalStateException("the last refactorisation of " + this + " failed, there is no factor");
        }
    }

    /**
     * Solves {@code A x = b}. Costs two passes over the factor.
     *
     * @param b the right-hand side
     * @return the solution, a new vector of the precision of {@code b}
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     * @throws IllegalStateException    if {@link #refactorise} failed
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
     * @throws IllegalStateException    if {@link #refactorise} failed
     */
    public double[] solve(double[] b) {
        Checks.length("length of b", b.length, size());
        double[] x = b.clone();
        solver().solve(x);
        return x;
    }

    @Override
    public String toString() {
        return "Cholesky factorisation of " + size() + " rows, " + nonZeros + " non-zeros in " + symbolic.supernodes()
                + " supernodes, " + operations + " operations";
    }

    /** The numbers, supernode by supernode, with all work space. Updates wait for their parents on a stack. */
    private static final class Numeric {
        private final SymbolicCholesky symbolic;
        private final SupernodalFactor factor;
        private final double[] values;
        private final double[][] workspace;
        private final double[] smallest;
        private final int[] local;
        private final int[] places;
        private final double[] updates;
        private int top;
        /**
         * The children of each supernode, the last first: their updates are in this order from the top of the stack.
         */
        private final int[] lastChild;
        private final int[] sibling;

        Numeric(SymbolicCholesky symbolic, SupernodalFactor factor, FactorMeter meter) {
            int greatest = symbolic.greatestFront();
            int supernodes = symbolic.supernodes();
            long stack = symbolic.peakUpdates();
            double bytes = Double.BYTES * (double) symbolic.peakEntries();
            if (stack > MOST_ELEMENTS) {
                throw meter.tooLarge(bytes, 0, "with " + stack + " numbers in updates, of which there may be "
                        + MOST_ELEMENTS);
            }
            this.symbolic = symbolic;
            this.factor = factor;
            this.values = new double[symbolic.columns().length];
            this.updates = meter.allocate(bytes, 0, () -> new double[(int) stack]);
            this.workspace = meter.allocate(bytes, 0, () -> new double[greatest][greatest]);
            this.smallest = new double[greatest];
            this.local = new int[symbolic.size()];
            this.places = new int[greatest];
            this.lastChild = new int[supernodes];
            this.sibling = new int[supernodes];
            meter.allocate(bytes, 0, () -> allocateFactor(supernodes));
        }

        private SupernodalFactor allocateFactor(int supernodes) {
            for (int s = 0; s < supernodes; s++) {
                int width = symbolic.width(s);
                int height = symbolic.rows(s).length;
                if (factor.values()[s] == null) {
                    factor.rows()[s] = symbolic.rows(s);
                    factor.widths()[s] = width;
                    factor.values()[s] = new double[Math.toIntExact(SupernodalFactor.entries(width, height))];
                }
            }
            return factor;
        }

        void load(CsrMatrix matrix) {
            symbolic.load(matrix, values);
        }

        void run(CsrMatrix matrix, FactorMeter meter) {
            load(matrix);
            run(meter);
        }

        void run(FactorMeter meter) {
            Arrays.fill(lastChild, -1);
            top = 0;
            for (int s = 0; s < symbolic.supernodes(); s++) {
                int[] rows = symbolic.rows(s);
                int width = symbolic.width(s);
                meter.checkTime(symbolic.firstColumn(s), symbolic.size());
                for (int i = 0; i < rows.length; i++) {
                    local[rows[i]] = i;
                    Arrays.fill(workspace[i], i, rows.length, 0);
                }
                gather(s, width);
                for (int child = lastChild[s]; child >= 0; child = sibling[child]) {
                    add(child);
                }
                int failed = new DenseFront(workspace, rows.length).eliminate(width, smallest);
                if (failed >= 0) {
                    throw notDefinite(rows[failed], workspace[failed][failed], smallest[failed] / SMALLEST_SHARE);
                }
                pack(0, width, rows.length, factor.values()[s], 0);
                int parent = symbolic.parent(s);
                if (parent >= 0) {
                    top = pack(width, rows.length, rows.length, updates, top);
                    sibling[s] = lastChild[parent];
                    lastChild[parent] = s;
                }
            }
        }

        /** Puts the entries of the matrix in their places and finds what pivots must exceed. */
        private void gather(int s, int width) {
            for (int j = 0; j < width; j++) {
                int column = symbolic.firstColumn(s) + j;
                for (int k = symbolic.offsets()[column]; k < symbolic.offsets()[column + 1]; k++) {
                    int row = symbolic.columns()[k];
                    if (row >= column) {
                        workspace[j][local[row]] += values[k];
                    }
                }
                smallest[j] = SMALLEST_SHARE * Math.abs(workspace[j][j]);
            }
        }

        /** Takes the update of a child from the stack: the last one pushed, as supernodes are in postorder. */
        private void add(int child) {
            int[] rows = symbolic.rows(child);
            int width = symbolic.width(child);
            int count = rows.length - width;
            for (int i = 0; i < count; i++) {
                places[i] = local[rows[width + i]];
            }
            top -= (int) SupernodalFactor.entries(count, count);
            int at = top;
            for (int j = 0; j < count; j++) {
                double[] column = workspace[places[j]];
                for (int i = j; i < count; i++) {
                    column[places[i]] += updates[at++];
                }
            }
        }

        private int pack(int fromColumn, int toColumn, int size, double[] to, int start) {
            int at = start;
            for (int j = fromColumn; j < toColumn; j++) {
                System.arraycopy(workspace[j], j, to, at, size - j);
                at += size - j;
            }
            return at;
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
