package org.trellis.bench.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.report.SolveRun;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.solve.multigrid.LevelProducts;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.product.online.TunedMatrices;

/** Solves a system with one matrix on one backend, from vectors on the host, in one way or in several. */
final class ContenderSolver implements AutoCloseable {
    private final CsrMatrix matrix;
    private final Backend backend;
    private final SpmvOperator operator;
    private final SolverContext parts;
    private Boolean symmetric;

    /**
     * Creates a solver whose products are tuned within the iterations if there are {@code tuned} matrices. A near null
     * space is multigrid's.
     */
    @SuppressWarnings("MustBeClosed") // closed with the solver
    ContenderSolver(CsrMatrix matrix, Backend backend, TunedMatrices tuned, Optional<NearNullSpace> nearNullSpace) {
        this.matrix = matrix;
        this.backend = backend;
        this.operator = tuned == null
                ? backend.kernels(SparseKernels.class).prepare(matrix)
                : tuned.prepare(matrix);
        this.parts = tuned == null
                ? new SolverContext(backend, SolverContext.of(backend).products(), nearNullSpace)
                : new SolverContext(backend, (LevelProducts) tuned::prepare, nearNullSpace);
    }

    HostVector productWithOnes() {
        HostVector result = HostVector.zeros(matrix.precision(), matrix.rows());
        try (SpmvOperator plain = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector ones = backend.vector(matrix.precision(), matrix.columns());
                DenseVector product = backend.vector(matrix.precision(), matrix.rows())) {
            ones.copyFrom(HostVector.zeros(matrix.precision(), matrix.columns()).fill(1));
            plain.multiply(ones, product);
            product.copyTo(result);
        }
        return result;
    }

    /** Says how products are run. */
    String product() {
        return operator.parameters().toString();
    }

    /** Returns whether the matrix is its own transpose, up to rounding. */
    boolean isSymmetric() {
        if (symmetric == null) {
            symmetric = isSymmetric(matrix);
        }
        return symmetric;
    }

    private static boolean isSymmetric(CsrMatrix matrix) {
        double tolerance = Math.sqrt(matrix.precision().unitRoundoff());
        return matrix.rows() == matrix.columns() && matrix.closeTo(matrix.transpose(), tolerance, 0);
    }

    /** Refuses at once what a method cannot solve, rather than after iterations that lead nowhere. */
    static void refuseUnsuitable(CsrMatrix matrix, List<SolverConfig> stacks) {
        boolean square = matrix.rows() == matrix.columns();
        for (SolverConfig stack : stacks) {
            if (stack.isAutomatic()) {
                continue;
            }
            KrylovMethod method = stack.krylovMethod();
            if (!square && method.matrices() != KrylovMethod.Matrices.ANY) {
                throw new IllegalArgumentException(method + " with " + matrix
                        + ", expected a square matrix; lsqr and lsmr take any shape");
            }
            if (method.isComplex()) {
                requireRealForm(matrix, method);
            }
            if (method.needsSymmetric() && !isSymmetric(matrix)) {
                throw new IllegalArgumentException("method " + method + " with " + matrix + ", which is not symmetric: "
                        + "the method does not apply; gmres, bicgstab and idr do, and --method auto chooses");
            }
        }
    }

    private static void requireRealForm(CsrMatrix matrix, KrylovMethod method) {
        ComplexCsr complex = ComplexCsr.fromRealForm(matrix);
        if (method.matrices() == KrylovMethod.Matrices.COMPLEX_SYMMETRIC
                && !complex.isSymmetric(Math.sqrt(matrix.precision().unitRoundoff()))) {
            throw new IllegalArgumentException("method " + method + " with " + complex + ", which is not symmetric: "
                    + "the method does not apply; complex-bicgstab and gmres do");
        }
    }

    /** A way of solving that is prepared, and what came of it so far. */
    private static final class Contender implements AutoCloseable {
        private final SolverConfig stack;
        private final List<Double> setupSeconds = new ArrayList<>();
        private final List<Double> iterationSeconds = new ArrayList<>();
        private final List<Double> seconds = new ArrayList<>();
        private final LinearSolver solver;
        private SolveReport report;

        Contender(SolverConfig stack, LinearSolver solver) {
            this.stack = stack;
            this.solver = solver;
        }

        /**
         * Takes the time of another preparation, with code that is compiled by now. The solver that is there stays: it
         * has its plans, and knows which code is the fastest. There is memory for both, then.
         */
        void prepareAgain(CsrMatrix matrix, SpmvOperator operator, SolverContext parts) {
            if (stack.isAutomatic()) {
                return; // Prepares while it solves.
            }
            Optional<DeviceTiming> device = parts.backend().optionalKernels(DeviceTiming.class);
            device.ifPresent(DeviceTiming::synchronize);
            long start = System.nanoTime();
            LinearSolver other = stack.prepare(matrix, operator, parts);
            device.ifPresent(DeviceTiming::synchronize);
            setupSeconds.add((System.nanoTime() - start) * 1e-9);
            other.close();
        }

        void solve(DenseVector b, DenseVector x, ProgressListener progress) {
            long start = System.nanoTime();
            boolean first = report == null;
            int most = stack.criteria().maximumIterations();
            // No log hears of later solutions, so that a device need not wait for the host.
            IterationObserver observer = first
                    ? (iteration, norm) -> {
                        iterationSeconds.add((System.nanoTime() - start) * 1e-9);
                        progress.progress("iterate", Math.min(iteration, most), most);
                    }
                    : IterationObserver.NONE;
            SolveReport now = solver.solve(b, x, stack.criteria(), observer);
            seconds.add(now.seconds());
            if (first) {
                setupSeconds.add(now.setupSeconds());
            }
            List<String> known = first ? List.of() : report.facts().notes();
            report = first
                    ? now
                    : report.withNotes(now.facts().notes().stream().filter(note -> !known.contains(note)).toList());
        }

        /** Times the levels if there are some. */
        Optional<MultigridReport> multigrid() {
            return PreconditionedSolver.of(solver).filter(Multigrid.class::isInstance).map(Multigrid.class::cast)
                    .map(Multigrid::report);
        }

        @Override
        public void close() {
            solver.close();
        }
    }

    /**
     * Solves a system by each of several methods, in turns.
     *
     * @param x      overwritten by the solution of the first way
     * @param rounds how often each is prepared and solves it, from zero
     * @param known  the solution, or null
     * @param peers  other libraries, which take their turns after the variants
     */
    List<SolveRun> solve(List<SolverConfig> stacks, HostVector b, HostVector x, int rounds, HostVector known,
            PeerContenders peers, ProgressListener progress) {
        List<Contender> contenders = new ArrayList<>();
        try (DenseVector ownB = backend.vector(matrix.precision(), b.length());
                DenseVector ownX = backend.vector(matrix.precision(), x.length())) {
            for (SolverConfig stack : stacks) {
                contenders.add(new Contender(stack, stack.prepareEstimated(matrix, operator, parts)));
            }
            ownB.copyFrom(b);
            HostVector start = x.copy();
            List<Double> errors = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                for (Contender contender : contenders) {
                    if (round > 0) {
                        contender.prepareAgain(matrix, operator, parts);
                    }
                    ownX.copyFrom(start);
                    contender.solve(ownB, ownX, progress);
                    if (round == 0) {
                        HostVector found = HostVector.zeros(x.precision(), x.length());
                        ownX.copyTo(found);
                        errors.add(known == null ? Double.NaN : largestDifference(found, known));
                        if (errors.size() == 1) {
                            found.copyRange(0, x, 0, x.length());
                        }
                    }
                }
                peers.round(round, rounds, known, progress);
            }
            List<SolveRun> runs = new ArrayList<>();
            for (int i = 0; i < contenders.size(); i++) {
                Contender one = contenders.get(i);
                runs.add(new SolveRun(one.stack, one.report, one.iterationSeconds, one.seconds, one.setupSeconds,
                        errors.get(i), Optional.empty(), one.multigrid()));
            }
            runs.addAll(peers.runs());
            return runs;
        } finally {
            contenders.forEach(Contender::close);
        }
    }

    /** Returns the largest difference of elements. */
    static double largestDifference(HostVector x, HostVector y) {
        double largest = 0;
        for (int i = 0; i < x.length(); i++) {
            largest = Math.max(largest, Math.abs(x.get(i) - y.get(i)));
        }
        return largest;
    }

    @Override
    public void close() {
        operator.close();
    }
}
