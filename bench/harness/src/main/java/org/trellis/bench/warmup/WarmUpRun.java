package org.trellis.bench.warmup;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** One measurement in a JVM that has done nothing else: products or one solution with one backend. */
public final class WarmUpRun {
    /** What is measured if it is not a number of products. */
    static final String CG = "cg";

    /** The clock is the time that the processors spent on this JVM. */
    static final String PROCESSOR = "processor";

    /** The clock is that on the wall. */
    static final String WALL = "wall";

    private static final double TOLERANCE = 1e-8;
    private static final int MOST_ITERATIONS = 100_000;

    private WarmUpRun() {}

    /**
     * Measures and prints a line for each result: what, a blank, seconds.
     *
     * @param arguments the backend, the matrix, seconds after which nothing more is begun, {@value #PROCESSOR} or
     *                  {@value #WALL}, and {@value #CG} or growing numbers of products
     * @throws IOException              if the matrix cannot be read
     * @throws IllegalArgumentException if the name does not stand for one matrix
     */
    public static void main(String[] arguments) throws IOException {
        run(System.out, arguments);
    }

    static void run(PrintStream out, String... arguments) throws IOException {
        String backend = arguments[0];
        CsrMatrix matrix = read(arguments[1]);
        double limit = Double.parseDouble(arguments[2]);
        LongSupplier clock = arguments[3].equals(PROCESSOR) ? processorClock() : System::nanoTime;
        if (arguments[4].equals(CG)) {
            print(out, CG, solve(backend, matrix, clock));
            return;
        }
        List<Integer> counts = new ArrayList<>();
        for (int i = 4; i < arguments.length; i++) {
            counts.add(Integer.parseInt(arguments[i]));
        }
        multiply(out, backend, matrix, clock, new Extent(limit, counts));
    }

    /** How many products are measured, and when no more are begun. */
    private record Extent(double limit, List<Integer> counts) {}

    private static LongSupplier processorClock() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system::getProcessCpuTime;
    }

    private static CsrMatrix read(String name) throws IOException {
        List<MatrixSource> sources = new MatrixLocator(Configuration.load(), ReadOptions.DEFAULT).locate(name);
        if (sources.size() != 1) {
            throw new IllegalArgumentException("'" + name + "' stands for " + sources.size()
                    + " matrices, expected 1");
        }
        return sources.getFirst().load(ProgressListener.NONE).toPrecision(Precision.F64);
    }

    private static void print(PrintStream out, String what, double seconds) {
        out.println(what + ' ' + String.format(Locale.ROOT, "%.9f", seconds));
    }

    private static double since(LongSupplier clock, long start) {
        return (clock.getAsLong() - start) * 1e-9;
    }

    private static void multiply(PrintStream out, String name, CsrMatrix matrix, LongSupplier clock, Extent extent) {
        HostVector x = HostVector.of(Precision.F64, matrix.columns(), i -> 1 + i % 7);
        long start = clock.getAsLong();
        long begin = System.nanoTime();
        try (Backend backend = Backends.open(name, Configuration.load());
                SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector from = backend.vector(Precision.F64, matrix.columns());
                DenseVector to = backend.vector(Precision.F64, matrix.rows())) {
            from.copyFrom(x);
            int done = 0;
            for (int count : extent.counts()) {
                while (done < count && since(System::nanoTime, begin) < extent.limit()) {
                    operator.multiply(from, to);
                    done++;
                }
                if (done == count) {
                    print(out, Integer.toString(count), since(clock, start));
                }
            }
        }
    }

    private static double solve(String name, CsrMatrix matrix, LongSupplier clock) {
        HostVector b = matrix.multiply(HostVector.zeros(Precision.F64, matrix.columns()).fill(1));
        long start = clock.getAsLong();
        try (Backend backend = Backends.open(name, Configuration.load());
                SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                JacobiPreconditioner jacobi = JacobiPreconditioner.of(matrix, backend);
                ConjugateGradient method = new ConjugateGradient(operator, jacobi, backend);
                DenseVector right = backend.vector(Precision.F64, matrix.rows());
                DenseVector x = backend.vector(Precision.F64, matrix.columns())) {
            right.copyFrom(b);
            SolveReport report = method.solve(right, x,
                    StoppingCriteria.relative(TOLERANCE, MOST_ITERATIONS), ProgressListener.NONE);
            return report.converged() ? since(clock, start) : Double.NaN;
        }
    }
}
