package org.trellis.bench.peers.read;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Times readers on the same files, in turn, so that whatever else the machine does meets all of them. Every round runs
 * every reader once; the first round warms up and is not counted.
 *
 * <p>Besides the time, the processor time of the whole process is measured, garbage collection and compilation
 * included: on a machine that is shared it says more. The files come from the page cache, not from the disk.
 */
public final class ReadBenchmark {
    private static final int DEFAULT_SIDE = 2000;
    private static final int DEFAULT_ROUNDS = 5;

    private final List<MatrixReader> readers;
    private final int rounds;

    /**
     * What a reader needed for a file.
     *
     * @param reader         its name
     * @param file           the name of the file
     * @param bytes          size of the file
     * @param medianSeconds  median time
     * @param minimumSeconds shortest time
     * @param cpuSeconds     median processor time of the process
     */
    public record Result(String reader, String file, long bytes, double medianSeconds, double minimumSeconds,
            double cpuSeconds) {}

    /**
     * Creates a benchmark.
     *
     * @param readers what to compare
     * @param rounds  counted rounds, at least 1
     */
    public ReadBenchmark(List<MatrixReader> readers, int rounds) {
        this.readers = List.copyOf(readers);
        this.rounds = rounds;
    }

    /**
     * Runs all readers on a file.
     *
     * @param file a Matrix Market file
     * @return one result a reader
     * @throws Exception if a reader fails, or finds another number of non-zeros than the first
     */
    public List<Result> run(Path file) throws Exception {
        double[][] seconds = new double[readers.size()][rounds];
        double[][] processor = new double[readers.size()][rounds];
        long expected = -1;
        for (int round = -1; round < rounds; round++) {
            for (int k = 0; k < readers.size(); k++) {
                System.gc();
                long cpu = processorTime();
                long start = System.nanoTime();
                long nonZeros = readers.get(k).reading().read(file);
                double elapsed = (System.nanoTime() - start) * 1e-9;
                expected = expected < 0 ? nonZeros : expected;
                if (nonZeros != expected) {
                    throw new IllegalStateException(
                            readers.get(k).name() + " finds " + nonZeros + " non-zeros in " + file
                                    + ", expected " + expected);
                }
                if (round >= 0) {
                    seconds[k][round] = elapsed;
                    processor[k][round] = (processorTime() - cpu) * 1e-9;
                }
            }
        }
        List<Result> results = new ArrayList<>();
        for (int k = 0; k < readers.size(); k++) {
            Arrays.sort(seconds[k]);
            Arrays.sort(processor[k]);
            results.add(new Result(readers.get(k).name(), file.getFileName().toString(), Files.size(file),
                    seconds[k][rounds / 2], seconds[k][0], processor[k][rounds / 2]));
        }
        return results;
    }

    private static long processorTime() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /**
     * Writes sample files into a temporary folder, times all readers on them, prints a table and deletes the files.
     *
     * @param arguments counted rounds (default 5), grid points along a side (default 2000, which is 20 million
     * entries),
     *                  and how many peers take part, the fastest first (default all)
     * @throws Exception if a reader fails
     */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : DEFAULT_ROUNDS;
        int side = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DEFAULT_SIDE;
        List<MatrixReader> peers = MatrixReader.peers();
        int taking = arguments.length > 2 ? Integer.parseInt(arguments[2]) : peers.size();
        Path folder = Files.createTempDirectory("trellis-read");
        try {
            List<MatrixReader> readers = new ArrayList<>(List.of(MatrixReader.trellis(1), MatrixReader.trellis(2),
                    MatrixReader.cached(folder.resolve("cache"))));
            readers.addAll(peers.subList(0, taking));
            System.out.printf(Locale.ROOT, "%-10s %-20s %8s %8s %8s %8s %8s%n", "file", "reader", "median s", "min s",
                    "cpu s", "MB/s", "MB/cpu s");
            for (SampleFile sample : SampleFile.pair(side)) {
                Path file = sample.write(folder);
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
                new ReadBenchmark(readers, rounds).run(file).forEach(result -> print(sample.name(), result));
                Files.delete(file);
            }
        } finally {
            delete(folder);
        }
    }

    private static void print(String file, Result result) {
        System.out.printf(Locale.ROOT, "%-10s %-20s %8.3f %8.3f %8.3f %8.0f %8.0f%n", file, result.reader(),
                result.medianSeconds(), result.minimumSeconds(), result.cpuSeconds(),
                result.bytes() / result.medianSeconds() * 1e-6, result.bytes() / result.cpuSeconds() * 1e-6);
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.toList();
        }
        for (Path path : all.reversed()) {
            Files.delete(path);
        }
    }
}
