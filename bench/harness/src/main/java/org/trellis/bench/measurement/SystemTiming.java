package org.trellis.bench.measurement;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.file.TemporaryFolder;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;

/**
 * Solves systems with {@code Solvers.auto}, which is {@code LinearSystems.solve} with a limit of time, beside SciPy's
 * {@code spsolve} and PETSc's default, in turns, and prints a line of JSON for each: {@code trellis measure systems
 * ROUNDS SECONDS LIBRARY=PYTHON,... MATRIX...}, such as {@code scipy=python3,petsc=/usr/bin/python3}, or {@code none}.
 * Matrices that are not square are left out. The right-hand side is A times ones. A time is that of everything from the
 * matrix to the solution, without reading it. Small systems are solved in more rounds, until those of a contender have
 * taken a second, so that code is compiled; the first half of the rounds is left out, and the median of the others
 * counts. A solution is right if its residual, recomputed here, is at most 1e-8 of the right-hand side. The script is
 * {@code bench/suites/solve-beside.py}; PETSc for Python is found by {@code PETSC_DIR}. Beside times on the wall stand
 * those of the processor, of all threads of a process.
 */
final class SystemTiming {
    private static final double TOLERANCE = 1e-8;
    /** A residual that is larger by rounding alone. */
    private static final double ROUNDING = 1 + 1e-3;
    private static final int LARGEST_SYSTEM = 1_000_000;
    /** Rounds of a contender go on until all have taken so long, or there are so many. */
    private static final double WARM_SECONDS = 1;
    private static final int MOST_ROUNDS = 300;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path SCRIPT = Path.of("bench", "suites", "solve-beside.py");

    private final int rounds;
    private final double mostSeconds;
    private final List<Library> libraries = new ArrayList<>();
    private final Path folder;

    private SystemTiming(int rounds, double mostSeconds, Path folder) {
        this.rounds = rounds;
        this.mostSeconds = mostSeconds;
        this.folder = folder;
    }

    /** What came of one solver on one system. */
    private static final class Result {
        private final List<Double> seconds = new ArrayList<>();
        /** Of all threads of the process, compilers and collectors of garbage among them. */
        private final List<Double> processorSeconds = new ArrayList<>();
        private String said = "";
        private double residual = Double.NaN;
        private boolean claimed;

        /** Right, wrong although it says that it is right, or failed. */
        String verdict() {
            return residual <= TOLERANCE * ROUNDING ? "right" : claimed ? "wrong" : "failed";
        }

        /** Of the later half, since processes count their time in hundredths of a second. */
        static double mean(List<Double> seconds) {
            return seconds.stream().skip(seconds.size() / 2).mapToDouble(Double::doubleValue).average()
                    .orElse(Double.NaN);
        }

        static double median(List<Double> seconds) {
            double[] sorted =
                    seconds.stream().skip(seconds.size() / 2).mapToDouble(Double::doubleValue).sorted().toArray();
            return sorted.length == 0
                    ? Double.NaN
                    : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }

        /** Says whether another round is worth its time. */
        boolean wants(int round, int rounds, double mostSeconds) {
            double sum = seconds.stream().mapToDouble(Double::doubleValue).sum();
            return round == 0 || (seconds.getLast() <= mostSeconds && (round < rounds || sum < WARM_SECONDS));
        }

        String json() {
            return String.format(Locale.ROOT,
                    "{\"verdict\": \"%s\", \"seconds\": %s, \"processorSeconds\": %s, \"first\": %s, \"least\": %s, "
                            + "\"rounds\": %d, \"residual\": %s, \"remark\": \"%s\"}",
                    verdict(), number(median(seconds)),
                    number(mean(processorSeconds)),
                    number(seconds.getFirst()),
                    number(seconds.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN)),
                    seconds.size(), number(residual), said.replace("\\", "/").replace('"', '\''));
        }

        private static String number(double value) {
            return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6g", value) : "null";
        }
    }

    /** A Python process with a library; started again after it was ended for taking too long. */
    private final class Library {
        private final String name;
        private final String python;
        private Process process;
        private BufferedReader in;
        private PrintWriter out;

        Library(String name, String python) {
            this.name = name;
            this.python = python;
        }

        private String ask(String line) throws IOException {
            if (process == null) {
                ProcessBuilder builder = new ProcessBuilder(python, SCRIPT.toString(), name, "" + TOLERANCE)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
                builder.environment().put("OMP_NUM_THREADS", "2");
                process = builder.start();
                in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                out = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
            }
            Process asked = process;
            Thread watch = Thread.ofPlatform().daemon().start(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep((long) (2000 * mostSeconds));
                    asked.destroyForcibly();
                } catch (InterruptedException e) {
                    // Answered in time.
                }
            });
            out.println(line);
            String answer = in.readLine();
            watch.interrupt();
            if (answer == null) {
                close();
                return "failed no answer in " + 2 * mostSeconds + " seconds";
            }
            return answer;
        }

        void solve(String prefix, CsrMatrix matrix, double[] b, Result result) throws IOException {
            String loaded = process == null || result.seconds.isEmpty() ? ask("load " + prefix) : "loaded";
            String answer = loaded.equals("loaded") ? ask("solve") : loaded;
            String[] words = answer.split(" ", 5);
            if (!words[0].equals("solved")) {
                result.said = answer;
                result.seconds.add(Double.NaN);
                return;
            }
            result.seconds.add(Double.parseDouble(words[1]));
            result.processorSeconds.add(Double.parseDouble(words[2]));
            result.claimed = words[3].equals("yes");
            result.said = words.length > 4 ? words[4] : "";
            result.residual = residual(matrix, read(Path.of(prefix + ".x"), b.length), b);
        }

        void close() {
            if (process != null) {
                process.destroyForcibly();
                process = null;
            }
        }
    }

    /**
     * Prints what came of it.
     *
     * @param arguments rounds, seconds, libraries and matrices
     */
    static void start(String... arguments) throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.create()) {
            SystemTiming timing = new SystemTiming(Integer.parseInt(arguments[0]), Double.parseDouble(arguments[1]),
                    folder.path());
            for (String library : arguments[2].split(",")) {
                if (!library.equals("none")) {
                    String[] parts = library.split("=", 2);
                    if (parts.length < 2 || !List.of("scipy", "petsc").contains(parts[0])) {
                        throw new IllegalArgumentException("library '" + library
                                + "', expected scipy=PYTHON, petsc=PYTHON or none");
                    }
                    timing.libraries.add(timing.new Library(parts[0], parts[1]));
                }
            }
            try {
                MatrixLocator locator = new MatrixLocator(Configuration.load(), ReadOptions.DEFAULT);
                for (String argument : Arrays.asList(arguments).subList(3, arguments.length)) {
                    for (MatrixSource source : locator.locate(argument)) {
                        timing.time(source);
                    }
                }
            } finally {
                timing.libraries.forEach(Library::close);
            }
        }
    }

    private void time(MatrixSource source) throws IOException {
        CsrMatrix matrix;
        try {
            matrix = source.load(ProgressListener.NONE).toPrecision(Precision.F64);
        } catch (RuntimeException e) {
            return; // Complex, or no matrix at all.
        }
        if (matrix.rows() != matrix.columns() || matrix.rows() == 0 || matrix.rows() > LARGEST_SYSTEM
                || matrix.segments().size() != 1) {
            return;
        }
        double[] ones = new double[matrix.rows()];
        Arrays.fill(ones, 1);
        double[] b = matrix.multiply(ones);
        String prefix = folder.resolve("system").toString();
        write(prefix, matrix, b);
        Result own = new Result();
        List<Result> others = new ArrayList<>();
        libraries.forEach(library -> others.add(new Result()));
        boolean more = true;
        for (int round = 0; more && round < MOST_ROUNDS; round++) {
            more = own.wants(round, rounds, mostSeconds);
            if (more) {
                solve(matrix, b, own);
            }
            for (int k = 0; k < others.size(); k++) {
                if (others.get(k).wants(round, rounds, mostSeconds)) {
                    libraries.get(k).solve(prefix, matrix, b, others.get(k));
                    more = true;
                }
            }
        }
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT,
                "{\"system\": \"%s\", \"rows\": %d, \"nonZeros\": %d, \"trellis\": %s", source.name(), matrix.rows(),
                matrix.nonZeros(), own.json()));
        for (int k = 0; k < others.size(); k++) {
            line.append(", \"").append(libraries.get(k).name).append("\": ").append(others.get(k).json());
        }
        System.out.println(line.append('}'));
    }

    private void solve(CsrMatrix matrix, double[] b, Result result) {
        long processor = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        try (SystemSolver solver = Solvers.auto(matrix).maximumSeconds(mostSeconds)) {
            Solution solution = solver.solve(b);
            result.seconds.add((System.nanoTime() - start) * 1e-9);
            result.processorSeconds.add((PROCESS.getProcessCpuTime() - processor) * 1e-9);
            result.claimed = solution.converged();
            result.said = solution.report().method() + " with " + solution.report().preconditioner() + ", "
                    + solution.report().status();
            result.residual = residual(matrix, solution.x(), b);
        }
    }

    /** Computes {@code ‖b − A x‖₂ / ‖b‖₂}. */
    private static double residual(CsrMatrix matrix, double[] x, double[] b) {
        double[] y = matrix.multiply(x);
        double squares = 0;
        double norm = 0;
        for (int i = 0; i < b.length; i++) {
            squares += (b[i] - y[i]) * (b[i] - y[i]);
            norm += b[i] * b[i];
        }
        return squares == 0 ? 0 : Math.sqrt(squares / norm);
    }

    private static void write(String prefix, CsrMatrix matrix, double[] b) throws IOException {
        int nonZeros = Math.toIntExact(matrix.nonZeros());
        write(prefix + ".offsets", Integer.BYTES * (matrix.rows() + 1), offsets -> {
            offsets.putInt(0);
            for (int row = 0; row < matrix.rows(); row++) {
                offsets.putInt(Math.toIntExact(matrix.rowOffset(row) + matrix.rowLength(row)));
            }
        });
        write(prefix + ".indices", Integer.BYTES * nonZeros,
                indices -> matrix.forEachEntry((i, j, value) -> indices.putInt(j)));
        write(prefix + ".values", Double.BYTES * nonZeros,
                values -> matrix.forEachEntry((i, j, value) -> values.putDouble(value)));
        write(prefix + ".b", Double.BYTES * b.length, right -> right.asDoubleBuffer().put(b));
    }

    private static void write(String file, int size, Consumer<ByteBuffer> content) throws IOException {
        byte[] bytes = new byte[size];
        content.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        Files.write(Path.of(file), bytes);
    }

    private static double[] read(Path file, int count) throws IOException {
        double[] elements = new double[count];
        ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(elements);
        return elements;
    }
}
