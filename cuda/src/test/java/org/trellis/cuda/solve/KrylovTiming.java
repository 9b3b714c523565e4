package org.trellis.cuda.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.CudaBackendProvider;
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
 * program, not a test: {@code java -cp … org.trellis.cuda.solve.KrylovTiming [rounds] [system…]}.
 */
final class KrylovTiming {
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 20_000);
    private static final int PRODUCTS = 50;
    private static final List<String> SYSTEMS = List.of("poisson2d:100", "poisson2d:316", "poisson2d:2000",
            "poisson3d:160", "poisson3d27:128");

    private KrylovTiming() {}

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
     * @param arguments how many solutions in each way, and systems
     */
    @SuppressWarnings("MustBeClosed") // closed by the statement
    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
        List<String> systems = arguments.length > 1
                ? Arrays.asList(arguments).subList(1, arguments.length)
                : SYSTEMS;
        try (CudaBackend gpu = (CudaBackend) new CudaBackendProvider().open(Configuration.load())) {
            System.out.println("{\"device\": \"" + gpu.context().device().name() + "\", \"repeats\": "
                    + gpu.context().driver().hasConditionalNodes() + "}");
            for (String system : systems) {
                CsrMatrix matrix = system(system);
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

    private static CsrMatrix system(String text) {
        String[] parts = text.split(":");
        int side = Integer.parseInt(parts[1]);
        int[] sides = {side, side, parts[0].startsWith("poisson3d") ? side : 1};
        return Stencils.poisson(sides, parts[0].endsWith("27"), Precision.F64);
    }

    private static double secondsOfProduct(CudaBackend gpu, SpmvOperator product) {
        try (DenseVector x = gpu.vector(Precision.F64, product.columns());
                DenseVector y = gpu.vector(Precision.F64, product.rows())) {
            x.copyFrom(HostVector.zeros(Precision.F64, product.columns()).fill(1));
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < 7; round++) {
                gpu.context().synchronize();
                long start = System.nanoTime();
                for (int i = 0; i < PRODUCTS; i++) {
                    product.multiply(x, y);
                }
                gpu.context().synchronize();
                least = Math.min(least, (System.nanoTime() - start) * 1e-9 / PRODUCTS);
            }
            return least;
        }
    }

    private static void time(CudaBackend gpu, String system, CsrMatrix matrix, SpmvOperator product, String name,
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
                    gpu.context().synchronize();
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

    private static double secondsOfApplication(CudaBackend gpu, Preconditioner preconditioner, DenseVector r,
            DenseVector z) {
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 7; round++) {
            gpu.context().synchronize();
            long start = System.nanoTime();
            for (int i = 0; i < PRODUCTS; i++) {
                preconditioner.apply(1, r, 0, z);
            }
            gpu.context().synchronize();
            least = Math.min(least, (System.nanoTime() - start) * 1e-9 / PRODUCTS);
        }
        return least;
    }
}
