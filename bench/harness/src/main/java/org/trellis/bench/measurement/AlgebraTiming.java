package org.trellis.bench.measurement;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.GraphComponents;
import org.trellis.sparse.algebra.GraphPaths;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.MatrixNorms;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.sparse.algebra.Reductions;
import org.trellis.sparse.algebra.Stacking;

/**
 * Times operations of square matrices beside those of SciPy, in turns, and compares the results:
 * {@code trellis measure algebra MATRIX ROUNDS [PYTHON]}. SciPy runs in a process of {@code PYTHON}, on one thread as
 * ever; without it only the library's own times are shown. Results are compared by a weighted sum of their elements.
 */
final class AlgebraTiming {
    private static final String SCRIPT = "scipy-algebra.py";
    private static final double TOLERANCE = 1e-11;
    /** Operations are repeated until a turn takes this long, which is well above what clocks resolve. */
    private static final double TURN_SECONDS = 0.05;
    private static final double WARM_UP_SECONDS = 0.7;

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private AlgebraTiming() {}

    /** Seconds of an operation, and processor seconds of all threads of its process; the compiler's in ours. */
    private record Cost(double wall, double processor) {}

    /** A weighted sum of a result's elements, and that of their magnitudes. */
    private record Checksum(double sum, double magnitude) {
        private static Checksum of(Object result) {
            double[] sums = new double[2];
            switch (result) {
                case CsrMatrix matrix -> matrix.forEachEntry((i, j, value) -> add(sums, i, j, value));
                case HostVector vector ->
                    IntStream.range(0, vector.length()).forEach(i -> add(sums, i, 0, vector.get(i)));
                case double[] vector -> IntStream.range(0, vector.length).forEach(i -> add(sums, i, 0, vector[i]));
                case GraphPaths(int source, double[] distances, int[] parents) ->
                    add(sums, 0, 0, (double) Arrays.stream(distances).filter(Double::isFinite).count());
                case Number number -> add(sums, 0, 0, number.doubleValue());
                default -> throw new IllegalArgumentException(result.getClass() + ", expected a matrix, a vector or a "
                        + "number");
            }
            return new Checksum(sums[0], sums[1]);
        }

        private static void add(double[] sums, long i, long j, double value) {
            long weight = 1 + (31 * i + 17 * j) % 101;
            sums[0] += weight * value;
            sums[1] += weight * Math.abs(value);
        }

        private boolean agrees(Checksum other) {
            return Math.abs(sum - other.sum) <= TOLERANCE * Math.max(magnitude, other.magnitude)
                    && Math.abs(magnitude - other.magnitude) <= TOLERANCE * Math.max(magnitude, other.magnitude);
        }
    }

    /** SciPy in a process of its own. */
    private static final class SciPy implements AutoCloseable {
        private final Path folder;
        private final Process process;
        private final BufferedReader answers;
        private final PrintWriter questions;
        private Checksum last;

        private SciPy(String python, CsrMatrix matrix) throws IOException {
            folder = Files.createTempDirectory("trellis-algebra");
            Path file = folder.resolve("matrix.npz");
            MatrixFiles.write(file, matrix, WriteOptions.DEFAULT);
            Path script = folder.resolve(SCRIPT);
            try (InputStream source = AlgebraTiming.class.getResourceAsStream(SCRIPT)) {
                Files.copy(source, script);
            }
            process = new ProcessBuilder(python, script.toString(), file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            answers = process.inputReader(StandardCharsets.UTF_8);
            questions =
                    new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
        }

        private String answer() throws IOException {
            String line = answers.readLine();
            if (line == null) {
                throw new IOException("the process of SciPy ended, expected an answer; what it said is above");
            }
            return line;
        }

        private Cost cost(String operation, int repeats) throws IOException {
            questions.println(operation + '\t' + repeats);
            String[] parts = answer().split(" ");
            last = new Checksum(Double.parseDouble(parts[2]), Double.parseDouble(parts[3]));
            return new Cost(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
        }

        @Override
        public void close() throws IOException {
            questions.close();
            process.destroy();
            for (String name : List.of("matrix.npz", SCRIPT)) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }

    /**
     * Runs the program.
     *
     * @param arguments a generated matrix or a file, square; rounds; perhaps a Python interpreter that has SciPy
     * @throws IOException           if a file cannot be read or SciPy's process fails
     * @throws IllegalStateException if results differ; names the operation
     */
    static void start(String... arguments) throws IOException {
        CsrMatrix matrix = arguments[0].contains(":")
                ? MatrixSpec.parse(arguments[0]).generate(Precision.F64, ProgressListener.NONE)
                : MatrixFiles.read(Path.of(arguments[0]));
        int rounds = Integer.parseInt(arguments[1]);
        Map<String, Supplier<Object>> operations = operations(matrix);
        if (arguments.length == 2) {
            operations.forEach((name, work) -> System.out.printf(Locale.ROOT, "%-22s %10.3f ms%n", name,
                    1e3 * median(own(work, rounds))));
            return;
        }
        List<String> wrong = new ArrayList<>();
        try (SciPy scipy = new SciPy(arguments[2], matrix)) {
            System.out.println("SciPy " + scipy.answer() + "; ms of processor, medians; of the clock, medians, and "
                    + "SciPy's by Trellis's: median (least to most)");
            for (Map.Entry<String, Supplier<Object>> operation : operations.entrySet()) {
                if (!compared(operation.getKey(), operation.getValue(), scipy, rounds)) {
                    wrong.add(operation.getKey());
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalStateException("results differ from SciPy's: " + wrong);
        }
    }

    private static double[] own(Supplier<Object> work, int rounds) {
        int repeats = warmUp(work);
        return IntStream.range(0, rounds).mapToDouble(round -> cost(work, repeats).wall()).toArray();
    }

    private static boolean compared(String name, Supplier<Object> work, SciPy scipy, int rounds) throws IOException {
        int repeats = warmUp(work);
        int theirRepeats = repeatsFor(scipy.cost(name, 1).wall());
        boolean equal = Checksum.of(work.get()).agrees(scipy.last);
        List<Cost> own = new ArrayList<>();
        List<Cost> theirs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            own.add(cost(work, repeats));
            theirs.add(scipy.cost(name, theirRepeats));
        }
        double[] ratios = IntStream.range(0, rounds).mapToDouble(k -> theirs.get(k).wall() / own.get(k).wall())
                .toArray();
        double ratio = median(ratios);
        System.out.printf(Locale.ROOT, "%-22s %9.3f %9.3f   %9.3f %9.3f %6.2f (%.2f to %.2f) %s%n", name,
                median(own, Cost::processor), median(theirs, Cost::processor), median(own, Cost::wall),
                median(theirs, Cost::wall), ratio, ratios[0], ratios[rounds - 1], equal ? "equal" : "DIFFERS");
        return equal;
    }

    /** Repeats the work until the compiler has done its own; how often it then fills a turn. */
    private static int warmUp(Supplier<Object> work) {
        double least = Double.MAX_VALUE;
        double spent = 0;
        while (spent < WARM_UP_SECONDS) {
            double one = cost(work, 1).wall();
            least = Math.min(least, one);
            spent += one;
        }
        return repeatsFor(least);
    }

    private static int repeatsFor(double seconds) {
        return (int) Math.clamp(Math.ceil(TURN_SECONDS / Math.max(seconds, 1e-9)), 1, 10_000);
    }

    private static Cost cost(Supplier<Object> work, int repeats) {
        long processor = PROCESS.getProcessCpuTime();
        long began = System.nanoTime();
        for (int repeat = 0; repeat < repeats; repeat++) {
            if (work.get() == null) {
                throw new IllegalStateException("no result");
            }
        }
        long ended = System.nanoTime();
        return new Cost(1e-9 * (ended - began) / repeats, 1e-9 * (PROCESS.getProcessCpuTime() - processor) / repeats);
    }

    /** In milliseconds. */
    private static double median(List<Cost> costs, ToDoubleFunction<Cost> of) {
        return 1e3 * median(costs.stream().mapToDouble(of).toArray());
    }

    /** Sorts the values. */
    private static double median(double... values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static Map<String, Supplier<Object>> operations(CsrMatrix a) {
        int n = a.rows();
        CsrMatrix t = a.transpose();
        HostVector d = HostVector.of(Precision.F64, n, i -> 1 + i % 7);
        double[] x = d.toDoubleArray();
        int[] even = IntStream.range(0, (n + 1) / 2).map(k -> 2 * k).toArray();
        CsrMatrix small = DenseBlocks.fromRows(new double[][]{{1, 2}, {0, 3}}, Precision.F64);
        CooMatrix twice = twice(a);
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("transpose", a::transpose);
        all.put("sum", () -> a.plus(t));
        all.put("element-wise product", () -> a.hadamard(t));
        all.put("element-wise maximum", () -> a.maximum(t));
        all.put("product", () -> MatrixProduct.multiply(a, a));
        all.put("product with a vector", () -> a.multiply(x));
        all.put("every second row", () -> a.selectRows(even));
        all.put("every second column", () -> a.selectColumns(even));
        all.put("submatrix", () -> a.submatrix(n / 4, n - n / 4, n / 4, n - n / 4));
        all.put("lower triangle", () -> a.lowerTriangle(0));
        all.put("scaled rows", () -> a.scaleRows(d));
        all.put("one above the other", () -> Stacking.vertical(List.of(a, t)));
        all.put("side by side", () -> Stacking.horizontal(List.of(a, t)));
        all.put("Kronecker product", () -> KroneckerProduct.of(a, small));
        all.put("sums of rows", () -> Reductions.rowSums(a));
        all.put("sums of columns", () -> Reductions.columnSums(a));
        all.put("maxima of rows", () -> Reductions.rowMaxima(a));
        all.put("1-norm", () -> MatrixNorms.one(a));
        all.put("coordinates to rows", twice::toCsr);
        all.put("connected components", () -> GraphComponents.connected(a).count());
        all.put("breadth-first search", () -> GraphPaths.breadthFirst(a, 0));
        return all;
    }

    /** All entries two times, first from the last to the first. */
    private static CooMatrix twice(CsrMatrix a) {
        int count = Math.toIntExact(a.nonZeros());
        int[] rows = new int[2 * count];
        int[] columns = new int[2 * count];
        double[] values = new double[2 * count];
        int[] next = {count};
        a.forEachEntry((i, j, value) -> {
            int k = next[0]++;
            for (int place : new int[]{k, 2 * count - 1 - k}) {
                rows[place] = i;
                columns[place] = j;
                values[place] = value;
            }
        });
        return CooMatrix.of(a.rows(), a.columns(), rows, columns, HostVector.of(values));
    }
}
