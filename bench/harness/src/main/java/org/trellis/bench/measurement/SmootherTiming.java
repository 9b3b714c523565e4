package org.trellis.bench.measurement;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * A program that measures smoothers on a CPU backend: applications and symmetric sweeps in products' times, and
 * conjugate gradients with them, contenders in turns. Arguments: the backend, the side of the square of the five-point
 * Laplacian, the iterations of conjugate gradients at most, the rounds, and names of preconditioners with options such
 * as {@code ssor:order=natural}, with a star behind them if they are to be applied beside the product. With one thread
 * times are processor times, else of the clock on the wall.
 */
final class SmootherTiming {
    private final Backend backend;
    private final CsrMatrix matrix;
    private final SpmvOperator product;
    private final int limit;

    private SmootherTiming(Backend backend, CsrMatrix matrix, SpmvOperator product, int limit) {
        this.backend = backend;
        this.matrix = matrix;
        this.product = product;
        this.limit = limit;
    }

    /**
     * Measures.
     *
     * @param arguments backend, side, iterations, rounds, preconditioners
     */
    static void start(String... arguments) {
        int side = Integer.parseInt(arguments[1]);
        CsrMatrix matrix = laplacian(side);
        try (Backend backend = Backends.open(arguments[0], Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
            SmootherTiming timing = new SmootherTiming(backend, matrix, product, Integer.parseInt(arguments[2]));
            System.out.println(backend + ", " + matrix + ", " + product.parameters());
            timing.run(Integer.parseInt(arguments[3]), Arrays.asList(arguments).subList(4, arguments.length));
        }
    }

    private static CsrMatrix laplacian(int side) {
        int[] lengths = new int[side * side];
        Arrays.setAll(lengths, row -> {
            int i = row % side;
            int j = row / side;
            return 1 + (i > 0 ? 1 : 0) + (i + 1 < side ? 1 : 0) + (j > 0 ? 1 : 0) + (j + 1 < side ? 1 : 0);
        });
        return CsrFill.fill(lengths.length, Precision.F64, lengths, () -> (row, columns, values, at) -> {
            int to = at;
            for (int offset : new int[]{-side, -1, 0, 1, side}) {
                int column = row + offset;
                if (column >= 0 && column < lengths.length
                        && (Math.abs(offset) != 1 || column / side == row / side)) {
                    columns[to] = column;
                    values.set(to++, offset == 0 ? 4 : -1);
                }
            }
        });
    }

    private record Contender(String name, Smoother smoother, ConjugateGradient solver, List<Double> applications,
            List<Double> sweeps, List<Double> solutions, List<SolveReport> reports) {}

    @SuppressWarnings("MustBeClosed") // closed by the test
    private void run(int rounds, List<String> names) {
        Map<String, Contender> contenders = new LinkedHashMap<>();
        for (String text : names) {
            long start = System.nanoTime();
            Smoother smoother = Preconditioners.smoother(text.replaceAll("[:*].*", ""), matrix, product, backend,
                    options(text));
            System.out.printf(Locale.ROOT, "%s: setup %.3f s, %.1f MB%n", smoother.describe(),
                    (System.nanoTime() - start) * 1e-9, smoother.storedBytes() * 1e-6);
            contenders.put(text, new Contender(text, smoother,
                    new ConjugateGradient(product, text.endsWith("*") ? apart(smoother) : smoother, backend),
                    new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
        }
        List<Double> products = new ArrayList<>();
        HostVector b = HostVector.zeros(Precision.F64, matrix.rows()).fill(1);
        HostVector x = HostVector.zeros(Precision.F64, matrix.rows());
        for (int round = 0; round < rounds; round++) {
            int times = 10;
            for (int k = 0; k < times; k++) {
                products.add(seconds(() -> product.multiply(b, x)));
                for (Contender c : contenders.values()) {
                    c.applications().add(seconds(() -> c.smoother().apply(b, x)));
                    c.sweeps().add(seconds(() -> c.smoother().sweep(b, x, SweepDirection.SYMMETRIC)));
                }
            }
            for (Contender c : contenders.values()) {
                x.fill(0);
                c.solutions().add(seconds(() -> c.reports().add(
                        c.solver().solve(b, x, StoppingCriteria.relative(1e-8, limit), ProgressListener.NONE))));
            }
        }
        print(products, contenders);
    }

    /** The same preconditioner, to be applied beside the product. */
    private static Preconditioner apart(Smoother smoother) {
        return (Preconditioner) Proxy.newProxyInstance(Preconditioner.class.getClassLoader(),
                new Class<?>[]{Preconditioner.class}, (proxy, method, arguments) -> method.getName().equals("split")
                        ? Optional.empty()
                        : method.invoke(smoother, arguments));
    }

    private static void print(List<Double> products, Map<String, Contender> contenders) {
        double product = median(products);
        System.out.printf(Locale.ROOT, "product %.3f ms%n", 1e3 * product);
        for (Contender c : contenders.values()) {
            SolveReport report = c.reports().getLast();
            double solution = Collections.min(c.solutions());
            System.out.printf(Locale.ROOT,
                    "%s: application %.3f ms = %.2f products, symmetric sweep %.3f ms = %.2f, CG %.3f s at least,"
                            + " %d iterations, %.3f ms each, %s%n",
                    c.name(), 1e3 * median(c.applications()), median(c.applications()) / product,
                    1e3 * median(c.sweeps()), median(c.sweeps()) / product, solution, report.iterations(),
                    1e3 * solution / report.iterations(), report.status());
            c.solver().close();
            c.smoother().close();
        }
    }

    private static Map<String, String> options(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        if (text.indexOf(':') >= 0) {
            for (String part : text.replace("*", "").substring(text.indexOf(':') + 1).split(",")) {
                options.put(part.split("=")[0], part.split("=")[1]);
            }
        }
        return options;
    }

    private static double median(List<Double> times) {
        double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Processor time of the calling thread if it works alone, so that other programs count little. */
    private long now() {
        return backend.device().properties().getOrDefault("threads", "1").equals("1")
                ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()
                : System.nanoTime();
    }

    private double seconds(Runnable work) {
        long start = now();
        work.run();
        return (now() - start) * 1e-9;
    }
}
