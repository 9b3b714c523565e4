package org.trellis.bench.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * Times set-up, solution and refresh of multigrid for generated systems, and prints a line of JSON for each: {@code
 * trellis measure multigrid BACKEND ROUNDS SYSTEM... NAME=VALUE...} with options of multigrid, and {@code
 * space=rigid-body} or {@code space=constants} for elasticity. A system has a colon. The right-hand side is 1. With
 * {@code matrix=resident} each round's matrix is in the memory of the backend before the set-up begins.
 */
final class MultigridTiming {
    private static final String RESIDENT = "resident";
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 500);

    private final Backend backend;
    private final Optional<DeviceTiming> clock;
    private final MultigridOptions options;
    private final int rounds;
    private final boolean resident;

    private MultigridTiming(Backend backend, MultigridOptions options, int rounds, boolean resident) {
        this.backend = backend;
        this.resident = resident;
        this.clock = backend.optionalKernels(DeviceTiming.class);
        this.options = options;
        this.rounds = rounds;
    }

    /**
     * Prints the times.
     *
     * @param arguments backend, rounds, systems and options
     */
    static void start(String... arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> systems = new ArrayList<>();
        for (String argument : Arrays.asList(arguments).subList(2, arguments.length)) {
            if (argument.contains(":")) {
                systems.add(argument);
            } else {
                String[] parts = argument.split("=", 2);
                options.put(parts[0], parts[1]);
            }
        }
        String space = options.remove("space");
        String place = options.remove("matrix");
        if (place != null && !place.equals(RESIDENT)) {
            throw new IllegalArgumentException("matrix=" + place + ", expected matrix=" + RESIDENT
                    + ", or nothing where bringing the matrix there counts");
        }
        boolean resident = place != null;
        try (Backend backend = Backends.open(arguments[0], Configuration.load())) {
            MultigridTiming timing =
                    new MultigridTiming(backend, MultigridOptions.parse(options), Integer.parseInt(arguments[1]),
                            resident);
            for (String system : systems) {
                CsrMatrix matrix = MatrixSpec.parse(system).generate(Precision.F64, ProgressListener.NONE);
                timing.time(system, matrix, space(system, matrix.rows(), space));
            }
        }
    }

    private static NearNullSpace space(String system, int rows, String wanted) {
        if (!system.startsWith("elasticity")) {
            return null;
        }
        return "constants".equals(wanted)
                ? NearNullSpace.constants(rows, system.startsWith("elasticity2d") ? 2 : 3)
                : rigidBody(Integer.parseInt(system.substring(system.indexOf("nx=") + 3)),
                        system.startsWith("elasticity2d"));
    }

    /** The movements of a body that is held where the first coordinate is 0. */
    private static NearNullSpace rigidBody(int n, boolean plane) {
        int dimension = plane ? 2 : 3;
        double[] coordinates = new double[dimension * n * (n + 1) * (plane ? 1 : n + 1)];
        for (int node = 0; node < coordinates.length / dimension; node++) {
            coordinates[dimension * node] = 1 + node % n;
            coordinates[dimension * node + 1] = Math.floorDiv(node, n) % (n + 1);
            if (!plane) {
                coordinates[dimension * node + 2] = Math.floorDiv(node, n * (n + 1));
            }
        }
        return NearNullSpace.rigidBody(coordinates, dimension);
    }

    private double timed(Runnable work) {
        clock.ifPresent(DeviceTiming::synchronize);
        long start = System.nanoTime();
        work.run();
        clock.ifPresent(DeviceTiming::synchronize);
        return (System.nanoTime() - start) * 1e-9;
    }

    private static double median(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Two rounds are for warming up. */
    @SuppressWarnings("MustBeClosed") // closed in each round
    private void time(String system, CsrMatrix matrix, NearNullSpace space) {
        double[][] seconds = new double[3][rounds];
        for (int round = -2; round < rounds; round++) {
            Multigrid[] made = new Multigrid[1];
            BackendMatrix there = resident ? backend.kernels(MatrixAlgebra.class).upload(matrix) : null;
            double setup = timed(() -> made[0] = there == null
                    ? Multigrid.of(matrix, space, options, backend)
                    : Multigrid.of(there, space, options, backend));
            try (there; Multigrid multigrid = made[0]) {
                SolveReport[] report = new SolveReport[1];
                double solution = solve(matrix, multigrid, report);
                if (round >= 0) {
                    seconds[0][round] = setup;
                    seconds[1][round] = solution;
                    seconds[2][round] = timed(() -> refresh(multigrid, matrix, there));
                }
                if (round == rounds - 1) {
                    System.out.printf(Locale.ROOT, "{\"system\": \"%s\", \"rows\": %d, \"nonZeros\": %d, "
                            + "\"setup\": %.5f, \"solve\": %.5f, \"refresh\": %.5f, \"iterations\": %d, "
                            + "\"residual\": %.2e, \"operatorComplexity\": %.3f, \"levels\": %d, "
                            + "\"phases\": \"%s\", \"allSeconds\": %s}%n", system, matrix.rows(), matrix.nonZeros(),
                            median(seconds[0]), median(seconds[1]), median(seconds[2]), report[0].iterations(),
                            report[0].trueResidual(), multigrid.hierarchy().operatorComplexity(),
                            multigrid.hierarchy().size(), multigrid.hierarchy().setupSeconds(),
                            Arrays.deepToString(seconds));
                }
            }
        }
    }

    private static void refresh(Multigrid multigrid, CsrMatrix matrix, BackendMatrix there) {
        if (there == null) {
            multigrid.refresh(matrix);
        } else {
            multigrid.refresh(there);
        }
    }

    private double solve(CsrMatrix matrix, Multigrid multigrid, SolveReport[] report) {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend);
                DenseVector b = backend.vector(Precision.F64, matrix.rows());
                DenseVector x = backend.vector(Precision.F64, matrix.rows())) {
            b.copyFrom(HostVector.zeros(Precision.F64, matrix.rows()).fill(1));
            x.copyFrom(HostVector.zeros(Precision.F64, matrix.rows()));
            return timed(() -> report[0] = solver.solve(b, x, CRITERIA, IterationObserver.NONE));
        }
    }
}
