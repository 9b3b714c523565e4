package org.trellis.solve;

import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/** Conjugate gradients as one kernel, where the backend has it and the system is one for it. */
final class PersistentRuns implements AutoCloseable {
    /** The most iterations of one kernel. */
    private static final int MAX_ITERATIONS = 1 << 14;
    private static final int PER_ITERATION = 3;

    private final LinearOperator matrix;
    private final Preconditioner preconditioner;
    private final Optional<PersistentKernels> kernels;
    private final double scale;
    private PersistentKernels.Solution solution;
    /** How often the matrix had been given other values when this was made, and when it was last examined. */
    private final long refills;
    private long copied;
    private boolean looked;
    private double[] recorded;
    private String objection = "";

    /**
     * Looks for the kernel.
     *
     * @param matrix         the product
     * @param preconditioner an approximate inverse, or null
     * @param backend        where all of it lives
     * @param scale          what the matrix is multiplied by
     */
    PersistentRuns(LinearOperator matrix, Preconditioner preconditioner, Backend backend, double scale) {
        this.matrix = matrix;
        this.preconditioner = preconditioner;
        this.scale = scale;
        this.refills = matrix instanceof SpmvOperator known ? known.refills() : 0;
        this.kernels = backend.optionalKernels(PersistentKernels.class);
    }

    /**
     * Says whether a solution is to be one kernel, and prepares that with the values that the matrix has now. A kernel
     * has a copy of them. Where they are others for each solution a copy costs more than it saves, so only who asks for
     * a kernel gets a second one.
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    boolean prepare(IterationMode way) {
        if (way != IterationMode.AUTOMATIC && way != IterationMode.RESIDENT) {
            return false;
        }
        if (!(matrix instanceof SpmvOperator known) || kernels.isEmpty()
                || matrix.rows() > kernels.get().mostRows()) {
            objection = quickObjection();
            return false;
        }
        if (way == IterationMode.AUTOMATIC && known.refills() != refills) {
            objection = "the matrix has other values than at first";
            return false;
        }
        if (!looked || known.refills() != copied) {
            close();
            looked = true;
            copied = known.refills();
            objection = findObjection(known.matrix());
            if (objection.isEmpty()) {
                solution =
                        kernels.get().conjugateGradients((CsrMatrix) known.matrix(), scale, inverse(), MAX_ITERATIONS);
                recorded = new double[MAX_ITERATIONS * PER_ITERATION];
            }
        }
        return solution != null;
    }

    private String quickObjection() {
        if (kernels.isEmpty()) {
            return "the backend has no such kernel";
        }
        return matrix instanceof SpmvOperator
                ? "it has " + matrix.rows() + " rows, expected at most " + kernels.get().mostRows()
                : matrix + " is no matrix in compressed rows";
    }

    private DenseVector inverse() {
        return preconditioner == null ? null : preconditioner.inverseDiagonal().orElse(null);
    }

    private String findObjection(SparseMatrix now) {
        if (preconditioner != null && inverse() == null) {
            return "preconditioner " + preconditioner + " is no diagonal";
        }
        return now instanceof CsrMatrix csr
                ? kernels.orElseThrow().objection(csr).orElse("")
                : matrix + " is no matrix in compressed rows";
    }

    /** Returns why the last solution was not one kernel. */
    String objection() {
        return objection;
    }

    /** Runs iterations on the residual and the solution of a recurrence; returns how many were done. */
    int run(PersistentKernels.Bounds bounds, boolean anew, CgRecurrence iterations) {
        PersistentKernels.Bounds within =
                new PersistentKernels.Bounds(Math.min(bounds.most(), MAX_ITERATIONS), bounds.limit(), bounds.factor());
        return solution.run(within, anew, iterations.residual().vector(), iterations.solution().vector(), recorded);
    }

    double rho(int iteration) {
        return recorded[PER_ITERATION * iteration];
    }

    double sigma(int iteration) {
        return recorded[PER_ITERATION * iteration + 1];
    }

    double norm(int iteration) {
        return Math.sqrt(recorded[PER_ITERATION * iteration + 2]);
    }

    @Override
    public void close() {
        if (solution != null) {
            solution.close();
            solution = null;
        }
        looked = false;
    }

    @Override
    public String toString() {
        return solution == null ? "no kernel" : solution.toString();
    }
}
