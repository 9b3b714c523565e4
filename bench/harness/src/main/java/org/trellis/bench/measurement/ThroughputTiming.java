package org.trellis.bench.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.Main;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.common.Configuration;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Counts products per second of two callers at once: {@code trellis measure throughput MATRIX ROUNDS WARM-UP
 * SECONDS [BEGIN]}.
 * In turns: one caller alone, two threads with a matrix each, two threads with one matrix, and two programs with a
 * matrix each, which are processes of this program. Callers have a backend of their own as solvers have, with the
 * threads of {@code trellis.threads}. Each warms up until the common begin, a time in milliseconds, which is what
 * BEGIN says to a process: it then prints what it has counted, and nothing else.
 */
final class ThroughputTiming {
    private final String name;
    private final double warmUp;
    private final double seconds;

    private ThroughputTiming(String name, double warmUp, double seconds) {
        this.name = name;
        this.warmUp = warmUp;
        this.seconds = seconds;
    }

    /**
     * Prints the counts.
     *
     * @param arguments matrix, rounds, seconds of warming up and of counting, and when to begin
     */
    static void start(String... arguments) throws IOException {
        ThroughputTiming timing = new ThroughputTiming(arguments[0], Double.parseDouble(arguments[2]),
                Double.parseDouble(arguments[3]));
        if (arguments.length > 4) {
            System.out.println(timing.products(timing.matrix(), Long.parseLong(arguments[4])));
            return;
        }
        int rounds = Integer.parseInt(arguments[1]);
        CsrMatrix first = timing.matrix();
        CsrMatrix second = timing.matrix();
        String[] modes = {"one caller", "two threads, two matrices", "two threads, one matrix", "two programs"};
        double[][] rates = new double[modes.length][rounds];
        for (int round = 0; round < rounds; round++) {
            rates[0][round] = timing.together(List.of(begin -> timing.products(first, begin)));
            rates[1][round] = timing.together(List.of(begin -> timing.products(first, begin),
                    begin -> timing.products(second, begin)));
            rates[2][round] = timing.together(List.of(begin -> timing.products(first, begin),
                    begin -> timing.products(first, begin)));
            rates[3][round] = timing.together(List.of(timing::inProcess, timing::inProcess));
        }
        for (int mode = 0; mode < modes.length; mode++) {
            double[] sorted = rates[mode].clone();
            Arrays.sort(sorted);
            System.out.printf(Locale.ROOT, "%-28s %10.1f products a second (%.1f to %.1f)%n", modes[mode],
                    sorted[rounds / 2], sorted[0], sorted[rounds - 1]);
        }
    }

    /** What counts products from a time on. */
    @FunctionalInterface
    private interface Caller {
        long products(long begin);
    }

    private CsrMatrix matrix() throws IOException {
        return new MatrixLocator(Configuration.load(), ReadOptions.DEFAULT).locate(name).getFirst()
                .load(ProgressListener.NONE);
    }

    private double together(List<Caller> callers) {
        long begin = System.currentTimeMillis() + (long) (1000 * warmUp);
        List<CompletableFuture<Long>> running = new ArrayList<>();
        for (Caller caller : callers) {
            Supplier<Long> work = () -> caller.products(begin);
            running.add(CompletableFuture.supplyAsync(work, Thread.ofPlatform().daemon()::start));
        }
        return running.stream().mapToLong(CompletableFuture::join).sum() / seconds;
    }

    private long products(CsrMatrix matrix, long begin) {
        HostVector x = HostVector.of(matrix.precision(), matrix.columns(), i -> 1.0 / (1 + i));
        HostVector y = HostVector.zeros(matrix.precision(), matrix.rows());
        try (Backend backend = Backends.openHost(Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
            while (System.currentTimeMillis() < begin) {
                product.multiply(x, y);
            }
            long count = 0;
            long end = begin + (long) (1000 * seconds);
            while (System.currentTimeMillis() < end) {
                product.multiply(x, y);
                count++;
            }
            return count;
        }
    }

    private long inProcess(long begin) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "measure",
                "throughput", name, "1", Double.toString(warmUp), Double.toString(seconds),
                Long.toString(begin)));
        try {
            Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try (BufferedReader in =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                String answer = in.readLine();
                if (answer == null) {
                    throw new IllegalStateException("a process with " + line + " printed nothing");
                }
                return Long.parseLong(answer);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a process with " + line + " cannot be started: " + e.getMessage(), e);
        }
    }
}
