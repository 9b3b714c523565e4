package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.StepData;
import org.trellis.mesh.loop.Layout;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.SystemScale;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Conjugate gradients for several right-hand sides at once, four at a time: the matrix passes through memory once for
 * four columns. Each column has coefficients, a residual and a verdict of its own; one that has met its criterion stays
 * as it is until the others have. Judged by the true residual, as {@link org.trellis.solve.ConjugateGradient} is.
 *
 * <p>An iteration of four columns moves, beside the product of four columns, 11 times four vectors and 2 diagonals:
 * p · q reads 2, r −= αq reads 2 and writes 1, x and p read 3 and write 2. Coefficients stay on the device; the host
 * fetches them once an iteration. A number of columns that is no multiple of four is filled up with zeros.
 *
 * <p>Matrix, right-hand sides and first guesses are scaled by powers of two as {@link SystemScale} has it, each column
 * by its own; solutions that are no normal numbers are refused.
 */
public final class BlockConjugateGradient implements AutoCloseable {
    private static final int WIDTH = BlockUpdates.WIDTH;
    private static final int RHO = 0;
    private static final int SQUARE = 2 * WIDTH;
    private static final int SIGMA = 4 * WIDTH;
    private static final int LIMIT = 5 * WIDTH;
    /** Binary digits by which a residual falls before it is scaled anew. */
    private static final int FALLEN = 40;

    private final SpmvOperator matrix;
    private final String preconditionerText;
    private final Mesh mesh;
    private final Dat solution;
    private final Dat residual;
    private final Dat right;
    private final MultiVector solutions;
    private final MultiVector residuals;
    private final Scalars scalars;
    private final double[] values = new double[6 * WIDTH];
    private final HostVector sent;
    private final ParallelLoop squares;
    private final ParallelLoop copy;
    private final LoopSequence begin;
    private final LoopSequence[] iterations = new LoopSequence[2];
    private final double setupSeconds;
    private final double largestEntry;
    /** Of the matrix. */
    private final SystemScale scale;
    /** Of the residuals of the columns. */
    private final int[] exponents = new int[WIDTH];

    /**
     * Prepares a solver. Costs a pass over the matrix on the host.
     *
     * @param matrix         the product with a square symmetric positive definite matrix; not closed by this object
     * @param preconditioner a diagonal approximate inverse, or null for none; not closed by this object
     * @param backend        the backend that prepared both
     * @throws IllegalArgumentException if the matrix is not square, an entry is not finite, or the preconditioner is
     *                                  no diagonal
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    public BlockConjugateGradient(SpmvOperator matrix, Preconditioner preconditioner, Backend backend) {
        long start = System.nanoTime();
        this.matrix = Objects.requireNonNull(matrix);
        KrylovMethod.CG.refuse(matrix, preconditioner);
        largestEntry = FiniteInput.largestEntry("conjugate gradients", matrix.matrix());
        scale = SystemScale.of(matrix.precision(), false, largestEntry, 1);
        Optional<DenseVector> inverse =
                preconditioner == null ? Optional.empty() : preconditioner.inverseDiagonal();
        if (preconditioner != null && inverse.isEmpty()) {
            throw new IllegalArgumentException("conjugate gradients for several right-hand sides with "
                    + preconditioner + ", expected a diagonal preconditioner such as jacobi, or none");
        }
        preconditionerText = preconditioner == null ? "none" : preconditioner.toString();
        mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false));
        try {
            MeshSet rows = mesh.set("rows", matrix.rows());
            solution = columns("solution", rows);
            residual = columns("residual", rows);
            right = columns("right", rows);
            solutions = new MultiVector(solution.vector(), rows.size(), WIDTH);
            residuals = new MultiVector(residual.vector(), rows.size(), WIDTH);
            scalars = mesh.scalars("scalars", values.length);
            sent = HostVector.zeros(Precision.F64, values.length);
            Dat diagonal = mesh.dat("diagonal", rows, 1, matrix.precision()).fill(1);
            inverse.ifPresent(
                    vector -> backend.kernels(ElementKernels.class).update(1 / scale.matrix(), null, vector, 0,
                            diagonal.vector()));
            Dat p = columns("direction", rows);
            Dat q = columns("product", rows);
            squares = mesh.loop(BlockUpdatesLoops.SQUARES, rows, residual, scalar(SIGMA));
            copy = mesh.loop(BlockUpdatesLoops.COPY, rows, right, residual);
            begin = mesh.sequence("begin")
                    .run(mesh.loop(BlockUpdatesLoops.BEGIN, rows, diagonal, residual, p, scalar(RHO))).build();
            for (int slot = 0; slot < 2; slot++) {
                iterations[slot] = iteration(slot, rows, diagonal, p, q);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            mesh.close();
            throw e;
        }
        setupSeconds = (System.nanoTime() - start) * 1e-9;
    }

    private Dat columns(String name, MeshSet rows) {
        return mesh.dat(name, rows, WIDTH, matrix.precision());
    }

    private Scalar scalar(int first) {
        return scalars.at(first, WIDTH);
    }

    private LoopSequence iteration(int slot, MeshSet rows, Dat diagonal, Dat p, Dat q) {
        MultiVector from = new MultiVector(p.vector(), rows.size(), WIDTH);
        MultiVector to = new MultiVector(q.vector(), rows.size(), WIDTH);
        int other = 1 - slot;
        Scalar rho = scalar(RHO + slot * WIDTH);
        Scalar nextRho = scalar(RHO + other * WIDTH);
        Scalar square = scalar(SQUARE + slot * WIDTH);
        return mesh.sequence("iteration of slot " + slot)
                .run(new CallStep("product", () -> matrix.multiply(scale.matrix(), from, 0, to),
                        List.of(new StepData(p, Access.READ), new StepData(q, Access.WRITE))))
                .run(mesh.loop(BlockUpdatesLoops.DOTS, rows, p, q, scalar(SIGMA)))
                .run(mesh.loop(BlockUpdatesLoops.RESIDUAL, rows, rho, scalar(SIGMA), square, scalar(LIMIT), diagonal, q,
                        residual, scalar(SQUARE + other * WIDTH), nextRho))
                .run(mesh.loop(BlockUpdatesLoops.DIRECTION, rows, rho, scalar(SIGMA), square, scalar(LIMIT), nextRho,
                        diagonal, residual, p, solution))
                .build();
    }

    /**
     * Solves {@code A X = B}.
     *
     * @param b        the right-hand sides
     * @param x        as many first guesses, overwritten by the solutions; also where they did not converge
     * @param criteria when to stop, for each column by itself
     * @return how each went
     * @throws IllegalArgumentException if a length, number, precision or memory space does not fit, or an element of a
     *         right-hand side or first guess is not finite
     */
    public List<SolveReport> solve(MultiVector b, MultiVector x, StoppingCriteria criteria) {
        if (b.count() != x.count() || b.length() != matrix.rows() || x.length() != matrix.rows()) {
            throw new IllegalArgumentException("conjugate gradients for " + matrix + " with right-hand sides " + b
                    + " and solutions " + x + ", expected as many, of " + matrix.rows() + " elements");
        }
        HostVector rights = onHost(b);
        HostVector guesses = onHost(x);
        List<SolveReport> reports = new ArrayList<>();
        for (int first = 0; first < b.count(); first += WIDTH) {
            int count = Math.min(WIDTH, b.count() - first);
            reports.addAll(new Four(rights, guesses, b.count(), first, count, criteria).solve());
        }
        x.storage().copyFrom(guesses);
        return reports;
    }

    private HostVector onHost(MultiVector vectors) {
        HostVector copy = HostVector.zeros(vectors.precision(), vectors.storage().length());
        vectors.storage().copyTo(copy);
        for (int i = 0; i < copy.length(); i++) {
            if (!Double.isFinite(copy.get(i))) {
                throw new IllegalArgumentException("right-hand sides and first guesses: element " + i / vectors.count()
                        + " of column " + i % vectors.count() + " is " + copy.get(i) + ", expected a finite number");
            }
        }
        return copy;
    }

    /** Four columns, or less, of right-hand sides and solutions on the host. */
    private final class Four {
        private final HostVector rights;
        private final HostVector solutions;
        private final int stride;
        private final int first;
        private final int count;
        private final ResidualHistory[] histories;
        private final HostVector part;
        private final double[] rightNorms = new double[WIDTH];

        Four(HostVector rights, HostVector solutions, int stride, int first, int count, StoppingCriteria criteria) {
            this.rights = rights;
            this.solutions = solutions;
            this.stride = stride;
            this.first = first;
            this.count = count;
            this.part = HostVector.zeros(rights.precision(), matrix.rows() * WIDTH);
            this.histories = new ResidualHistory[count];
            for (int c = 0; c < count; c++) {
                rightNorms[c] = VectorArithmetic.norm(column(rights, c));
                if (rightNorms[c] == Double.POSITIVE_INFINITY) {
                    throw new IllegalArgumentException("right-hand sides: the norm of column " + (first + c)
                            + " is more than " + Double.MAX_VALUE + ", expected a norm that is a number; scale the "
                            + "system");
                }
                histories[c] = new ResidualHistory(criteria, rightNorms[c], matrix.precision());
                double[] guess = column(solutions, c);
                if (histories[c].isZeroTheAnswer()) {
                    for (int row = 0; row < matrix.rows(); row++) {
                        solutions.set(row * stride + first + c, 0);
                    }
                }
                exponents[c] = exponent(Math.max(rightNorms[c], largestEntry * VectorArithmetic.norm(guess)));
            }
        }

        private double[] column(HostVector all, int c) {
            double[] column = new double[matrix.rows()];
            for (int row = 0; row < column.length; row++) {
                column[row] = all.get(row * stride + first + c);
            }
            return column;
        }

        private void load(HostVector all, boolean solution, Dat to) {
            for (int row = 0; row < matrix.rows(); row++) {
                for (int c = 0; c < WIDTH; c++) {
                    part.set(row * WIDTH + c, c < count
                            ? Math.scalb(all.get(row * stride + first + c), solution ? -step(c) : exponents[c])
                            : 0);
                }
            }
            to.vector().copyFrom(part);
        }

        /** Fetches solutions; says which of them are the same but for rounding as numbers of their precision. */
        private boolean[] fetch() {
            solution.vector().copyTo(part);
            boolean[] same = new boolean[count];
            for (int c = 0; c < count; c++) {
                double[] scaled = new double[matrix.rows()];
                double[] lost = new double[matrix.rows()];
                for (int row = 0; row < scaled.length; row++) {
                    scaled[row] = part.get(row * WIDTH + c);
                    solutions.set(row * stride + first + c, Math.scalb(scaled[row], step(c)));
                    lost[row] = scaled[row] - Math.scalb(solutions.get(row * stride + first + c), -step(c));
                }
                same[c] = VectorArithmetic.norm(lost) <= matrix.precision().unitRoundoff()
                        * VectorArithmetic.norm(scaled);
            }
            return same;
        }

        List<SolveReport> solve() {
            load(rights, false, right);
            load(solutions, true, solution);
            double[] now = trueNorms();
            for (int c = 0; c < count; c++) {
                histories[c].begin(Math.scalb(now[c], -exponents[c]));
            }
            while (anyGoesOn(histories)) {
                round(histories, now);
                now = trueNorms();
                for (int c = 0; c < count; c++) {
                    double norm = Math.scalb(now[c], -exponents[c]);
                    if (histories[c].goesOn()) {
                        histories[c].replace(norm);
                    } else if (!histories[c].knowsTrueResidual()) {
                        histories[c].finish(norm);
                    }
                }
            }
            boolean[] representable = fetch();
            List<SolveReport> reports = new ArrayList<>();
            for (int c = 0; c < count; c++) {
                if (histories[c].hasConverged() && !representable[c]) {
                    histories[c].unrepresentable(histories[c].trueResidual(), "the solution has elements that are no "
                            + "normal numbers in " + matrix.precision().label() + "; scale the system");
                }
                reports.add(histories[c].report(new SolveFacts("cg, " + WIDTH + " columns at a time",
                        preconditionerText, setupSeconds, 0, bytes(), List.of())));
            }
            return reports;
        }

        /** Computes scaled residuals and their norms; those that have fallen far are scaled anew before they count. */
        private double[] trueNorms() {
            double[] norms = trueResiduals();
            boolean[] better = new boolean[WIDTH];
            boolean any = false;
            for (int c = 0; c < count; c++) {
                double norm = norms[c] == 0 ? rightNorms[c] : Math.scalb(norms[c], -exponents[c]);
                better[c] = Math.abs(exponent(norm) - exponents[c]) > FALLEN && norm != 0;
                any |= better[c];
            }
            if (!any) {
                return norms;
            }
            fetch();
            for (int c = 0; c < count; c++) {
                exponents[c] = better[c]
                        ? exponent(norms[c] == 0 ? rightNorms[c] : Math.scalb(norms[c], -exponents[c]))
                        : exponents[c];
            }
            load(rights, false, right);
            load(solutions, true, solution);
            return trueResiduals();
        }
    }

    /** The binary logarithm of what brings a column whose residual has a norm near 1. */
    private int exponent(double norm) {
        return SystemScale.of(matrix.precision(), false, largestEntry, norm).residualExponent();
    }

    /** The binary logarithm of what a column of the scaled solution is to be multiplied by. */
    private int step(int c) {
        return scale.matrixExponent() - exponents[c];
    }

    private static boolean anyGoesOn(ResidualHistory... histories) {
        boolean any = false;
        for (ResidualHistory history : histories) {
            any |= history.goesOn() && !history.wantsTrueResidual();
        }
        return any;
    }

    /** Iterates from the true residuals until no column wants to go on without another look at them. */
    private void round(ResidualHistory[] histories, double[] norms) {
        for (int c = 0; c < WIDTH; c++) {
            boolean goesOn = c < histories.length && histories[c].goesOn();
            double limit = goesOn ? Math.scalb(histories[c].limit(), exponents[c]) : 0;
            sent.set(LIMIT + c, goesOn ? limit * limit : Double.MAX_VALUE);
            sent.set(SQUARE + c, goesOn ? norms[c] * norms[c] : 0);
        }
        scalars.vector().copyFrom(sent);
        begin.run();
        int slot = 0;
        while (anyGoesOn(histories)) {
            iterations[slot].run();
            scalars.copyTo(values);
            for (int c = 0; c < histories.length; c++) {
                if (histories[c].goesOn() && !histories[c].wantsTrueResidual()) {
                    take(histories[c], slot, c);
                }
            }
            slot = 1 - slot;
        }
    }

    private void take(ResidualHistory history, int slot, int c) {
        double rho = values[RHO + slot * WIDTH + c];
        double sigma = values[SIGMA + c];
        if (!(rho > 0)) {
            history.breakDown("r^T M^-1 r is " + rho + ": the preconditioner is not positive definite");
        } else if (!(sigma > 0)) {
            history.breakDown("p^T A p is " + sigma + ": the matrix is not positive definite");
        } else {
            history.add(Math.scalb(Math.sqrt(values[SQUARE + (1 - slot) * WIDTH + c]), -exponents[c]));
        }
    }

    private double[] trueResiduals() {
        copy.run();
        matrix.multiply(-scale.matrix(), solutions, 1, residuals);
        return norms();
    }

    private double[] norms() {
        squares.run();
        scalars.copyTo(values);
        double[] norms = new double[WIDTH];
        for (int c = 0; c < WIDTH; c++) {
            norms[c] = Math.sqrt(values[SIGMA + c]);
        }
        return norms;
    }

    private long bytes() {
        return mesh.dats().stream().mapToLong(
                dat -> (long) dat.set().size() * dat.components() * dat.precision().bytes()).sum();
    }

    /** Releases vectors and loops. Idempotent. */
    @Override
    public void close() {
        mesh.close();
    }
}
