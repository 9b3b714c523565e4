package org.trellis.bench.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import org.trellis.solve.IterationMode;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Times conjugate gradients on a GPU in every way in which iterations can be run: b = 1, from zero, to 1e-8, times of
 * whole solutions by the number of iterations, in turns. Prints a line of JSON for each system and preconditioner. A
 * measurement: {@code trellis measure iteration-modes BACKEND ROUNDS [SYSTEM...]}.
 */
final class IterationModeTiming {
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 20_000);
    private static final int PRODUCTS = 50;
    private static final List<String> SYSTEMS = List.of("poisson2d:nx=100", "poisson2d:nx=316", "poisson2d:nx=2000",
            "poisson3d:nx=160", "poisson3d:nx=128,points=27");

    private IterationModeTiming() {}

    /** Times of one way, in seconds a solution, and the last report. */
    private static final class Contender {
        private final IterationMode way;
        private final List<Double> seconds = new ArrayList<>();
        private SolveReport report;

        Contender(IterationMode way) {
            this.way = way;
        }

        double median() {
            double[] sorted = seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return sorted[sorted.length / 2];
        }

        String json() {
            double least = seconds.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
            return String.format(Locale.ROOT, "{\"way\": \"%s\", \"status\": \"%s\", \"iterations\": %d, "
                    + "\"msPerIteration\": %.6f, \"leastMsPerIteration\": %.6f, \"solveSeconds\": %.6f, "
                    + "\"trueResidual\": %.3e, \"notes\": \"%s\"}", way, report.status(), report.iterations(),
                    1e3 * median() / Math.max(1, report.iterations()), 1e3 * least / Math.max(1, report.iterations()),
                    median(), report.trueResidual(),
                    String.join("; ", report.facts().notes()).replace('"', '\''));
        }
    }

    /**
     * Prints the times.
     *
     * @param arguments backend, how many solutions in each way, systems
     */
    @SuppressWarnings("MustBeClosed") // closed by the statement
    static void start(String... arguments) {
        int rounds = Integer.parseInt(arguments[1]);
        List<String> systems = arguments.length > 2
                ? Arrays.asList(arguments).subList(2, arguments.length)
                : SYSTEMS;
        try (Backend gpu = Backends.open(arguments[0], Configuration.load())) {
            System.out.println("{\"device\": \"" + gpu.device().name() + "\"}");
            for (String system : systems) {
                CsrMatrix matrix = MatrixSpec.parse(system).generate(Precision.F64, ProgressListener.NONE);
                try (SpmvOperator product = gpu.kernels(SparseKernels.class).prepare(matrix)) {
                    System.out.println(String.format(Locale.ROOT,
                            "{\"system\": \"%s\", \"rows\": %d, \"productMs\": %.6f}", system, matrix.rows(),
                            1e3 * secondsOfProduct(gpu, product)));
                    time(gpu, system, matrix, product, "jacobi", rounds);
                    time(gpu, system, matrix, product, "none", Math.min(rounds, 3));
                    time(gpu, system, matrix, product, "ssor", Math.min(rounds, 3));
                }
            }
        }
    }

    private static void synchronize(Backend backend) {
        backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
    }

    private static double secondsOfProduct(Backend gpu, SpmvOperator product) {
        try (DenseVector x = gpu.vector(Precision.F64, product.columns());
                DenseVector y = gpu.vector(Precision.F64, product.rows())) {
            x.copyFrom(HostVector.zeros(Precision.F64, product.columns()).fill(1));
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < 7; round++) {
                synchronize(gpu);
                long start = System.nanoTime();
                for (int i = 0; i < PRODUCTS; i++) {
                    product.multiply(x, y);
                }
                synchronize(gpu);
                least = Math.min(least, (System.nanoTime() - start) * 1e-9 / PRODUCTS);
            }
            return least;
        }
    }

    private static void time(Backend gpu, String system, CsrMatrix matrix, SpmvOperator product, String name,
            int rounds) {
        List<Contender> contenders = new ArrayList<>();
        for (IterationMode way : IterationMode.values()) {
            if (way != IterationMode.RESIDENT || !name.equals("ssor")) {
                contenders.add(new Contender(way));
            }
        }
        try (Preconditioner preconditioner =
                Preconditioners.of(name, matrix, product, gpu, Map.of()).orElse(null);
                ConjugateGradient solver = new ConjugateGradient(product, preconditioner, gpu);
                DenseVector b = gpu.vector(Precision.F64, matrix.rows());
                DenseVector x = gpu.vector(Precision.F64, matrix.rows())) {
            b.copyFrom(HostVector.zeros(Precision.F64, matrix.rows()).fill(1));
            HostVector zeros = HostVector.zeros(Precision.F64, matrix.rows());
            for (int round = -1; round < rounds; round++) {
                for (Contender contender : contenders) {
                    x.copyFrom(zeros);
                    synchronize(gpu);
                    long start = System.nanoTime();
                    contender.report = solver.iterating(contender.way).solve(b, x, CRITERIA, IterationObserver.NONE);
                    if (round >= 0) {
                        contender.seconds.add((System.nanoTime() - start) * 1e-9);
                    }
                }
            }
            double sweep = preconditioner == null ? 0 : secondsOfApplication(gpu, preconditioner, b, x);
            System.out.println("{\"system\": \"" + system + "\", \"preconditioner\": \"" + name
                    + String.format(Locale.ROOT, "\", \"applicationMs\": %.6f, \"ways\": [", 1e3 * sweep)
                    + String.join(", ", contenders.stream().map(Contender::json).toList()) + "]}");
        }
    }

    private static double secondsOfApplication(Backend gpu, Preconditioner preconditioner, DenseVector r,
            DenseVector z) {
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 7; round++) {
            synchronize(gpu);
            long start = System.nanoTime();
            for (int i = 0; i < PRODUCTS; i++) {
                preconditioner.apply(1, r, 0, z);
            }
            synchronize(gpu);
            least = Math.min(least, (System.nanoTime() - start) * 1e-9 / PRODUCTS);
        }
        return least;
    }
}
