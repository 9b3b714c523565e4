package org.trellis.cuda.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.CudaBackendProvider;
import org.trellis.cuda.solve.Stencils;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.HierarchyLevel;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * Times set-up, refresh and solution of multigrid on the GPU, and products of matrices, and prints lines of JSON. A
 * program, not a test: {@code SetupTiming ROUNDS SYSTEM...} with options of multigrid as {@code name=value}.
 */
final class SetupTiming {
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 500);
    private static final int CYCLES = 50;
    private static final int COARSE_HALF = 100_000;

    private final CudaBackend gpu;
    private final MatrixAlgebra algebra;
    private final MultigridOptions options;
    private final int rounds;

    private SetupTiming(CudaBackend gpu, MultigridOptions options, int rounds) {
        this.gpu = gpu;
        this.algebra = gpu.kernels(MatrixAlgebra.class);
        this.options = options;
        this.rounds = rounds;
    }

    /**
     * Prints the times.
     *
     * @param arguments how many rounds, options, and systems
     */
    @SuppressWarnings("MustBeClosed") // closed by the statement
    public static void main(String[] arguments) {
        Map<String, String> options = new HashMap<>(Map.of("setup", "backend"));
        List<String> systems = new ArrayList<>();
        for (String argument : Arrays.asList(arguments).subList(1, arguments.length)) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                systems.add(argument);
            } else {
                options.put(argument.substring(0, equals), argument.substring(equals + 1));
            }
        }
        try (CudaBackend gpu = (CudaBackend) new CudaBackendProvider().open(Configuration.load())) {
            SetupTiming timing = new SetupTiming(gpu, MultigridOptions.parse(options), Integer.parseInt(arguments[0]));
            for (String system : systems) {
                String[] parts = system.split(":");
                int side = Integer.parseInt(parts[1]);
                int[] sides = {side, side, parts[0].startsWith("poisson3d") ? side : 1};
                timing.time(system, Stencils.poisson(sides, parts[0].endsWith("27"), Precision.F64));
            }
        }
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static double median(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private double timed(Runnable work) {
        gpu.context().synchronize();
        long start = System.nanoTime();
        work.run();
        gpu.context().synchronize();
        return (System.nanoTime() - start) * 1e-9;
    }

    @SuppressWarnings("MustBeClosed") // closed in each round
    private void time(String system, CsrMatrix matrix) {
        double[] uploads = new double[rounds];
        double[] setups = new double[rounds];
        double[] solutions = new double[rounds];
        double[] refreshes = new double[rounds];
        for (int round = -2; round < rounds; round++) {
            BackendMatrix[] there = new BackendMatrix[1];
            Multigrid[] made = new Multigrid[1];
            double upload = timed(() -> there[0] = algebra.upload(matrix));
            double setup = timed(() -> made[0] = Multigrid.of(there[0], null, options, gpu));
            try (BackendMatrix a = there[0]; Multigrid multigrid = made[0]) {
                SolveReport[] report = new SolveReport[1];
                String phases = round == rounds - 1 ? multigrid.report().setupSeconds().toString() : "";
                double solution = solve(a, multigrid, report);
                double refresh = timed(() -> multigrid.refresh(a));
                if (round >= 0) {
                    uploads[round] = upload;
                    setups[round] = setup;
                    solutions[round] = solution;
                    refreshes[round] = refresh;
                }
                if (round == rounds - 1) {
                    System.out.println(line("{\"system\": \"%s\", \"upload\": %.5f, \"setup\": %.5f, \"solve\": %.5f, "
                            + "\"refresh\": %.5f, \"setups\": %s, \"iterations\": %d, \"residual\": %.2e, ", system,
                            median(uploads), median(setups), median(solutions), median(refreshes),
                            Arrays.toString(setups), report[0].iterations(), report[0].trueResidual())
                            + "\"setupPhases\": \"" + phases + "\", " + details(multigrid) + "}");
                    if (options.levels().isEmpty()) {
                        products(system, a, multigrid);
                    }
                }
            }
        }
    }

    private double solve(BackendMatrix a, Multigrid multigrid, SolveReport[] report) {
        try (SpmvOperator product = gpu.kernels(SparseKernels.class).prepare(a);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, gpu);
                DenseVector b = gpu.vector(Precision.F64, a.rows());
                DenseVector x = gpu.vector(Precision.F64, a.rows())) {
            b.copyFrom(HostVector.zeros(Precision.F64, a.rows()).fill(1));
            solver.solve(b, x, StoppingCriteria.relative(1e-8, 1), IterationObserver.NONE);
            x.copyFrom(HostVector.zeros(Precision.F64, a.rows()));
            return timed(() -> report[0] = solver.solve(b, x, CRITERIA, IterationObserver.NONE));
        }
    }

    private String details(Multigrid multigrid) {
        MultigridReport report = multigrid.report();
        StringBuilder text = new StringBuilder("\"refreshPhases\": \"" + report.setupSeconds() + "\", \"levels\": [");
        for (int l = 0; l < report.levels().size(); l++) {
            MultigridReport.Level level = report.levels().get(l);
            text.append(line("%s[%d, %d, %.1f, \"%s\"]", l == 0 ? "" : ", ", level.rows(), level.nonZeros(),
                    1e6 * level.seconds(), level.product()));
        }
        text.append(line("], \"cycle\": %.6f", cycle(multigrid)));
        for (int l = 0; l < multigrid.hierarchy().size() - 1; l++) {
            HierarchyLevel level = multigrid.hierarchy().level(l);
            if (level.stored().rows() < COARSE_HALF && options.levels().isEmpty()) {
                try (Multigrid half = Multigrid.of((BackendMatrix) level.stored(), null, options, gpu)) {
                    text.append(line(", \"coarseHalf\": %.6f, \"coarseRows\": %d", cycle(half),
                            level.stored().rows()));
                }
                break;
            }
        }
        return text.toString();
    }

    private double cycle(Multigrid multigrid) {
        int rows = multigrid.hierarchy().level(0).stored().rows();
        try (DenseVector r = gpu.vector(Precision.F64, rows);
                DenseVector z = gpu.vector(Precision.F64, rows);
                var step = multigrid.bind(1, r, 0, z)) {
            step.run();
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < 5; round++) {
                least = Math.min(least, timed(() -> {
                    for (int i = 0; i < CYCLES; i++) {
                        step.run();
                    }
                }) / CYCLES);
            }
            return least;
        }
    }

    /** Times A A, A P and R (A P). */
    private void products(String system, BackendMatrix a, Multigrid multigrid) {
        HierarchyLevel level = multigrid.hierarchy().level(0);
        try (BackendMatrix p = algebra.upload(level.prolongation().orElseThrow());
                BackendMatrix r = algebra.upload(level.restriction().orElseThrow());
                BackendMatrix ap = algebra.multiply(a, p)) {
            System.out.println("{\"system\": \"" + system + "\", \"products\": {" + product("A A", a, a) + ", "
                    + product("A P", a, p) + ", " + product("R (A P)", r, ap) + "}}");
        }
    }

    @SuppressWarnings("MustBeClosed") // closed in each round
    private String product(String name, BackendMatrix a, BackendMatrix b) {
        double[] seconds = new double[rounds];
        double[] again = new double[rounds];
        try (BackendMatrix structure = algebra.multiply(a, b)) {
            for (int round = 0; round < rounds; round++) {
                seconds[round] = timed(() -> algebra.multiply(a, b).close());
                again[round] = timed(() -> algebra.multiplyAgain(structure, a, b).close());
            }
            return line("\"%s\": {\"nonZeros\": %d, \"seconds\": %.6f, \"again\": %.6f}", name, structure.nonZeros(),
                    median(seconds), median(again));
        }
    }
}
