package org.trellis.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.ProgressListener;

/** Times how long readers take for a file: each in turn, in rounds whose order is drawn from a seed. */
public final class ReadBenchmark {
    private static final int LEAST_ROUNDS = 3;
    private static final int MOST_ROUNDS = 50;

    private final double seconds;
    private final long seed;
    private final ProgressListener progress;

    /**
     * Creates a benchmark.
     *
     * @param seconds  measured time that each reader gets for each file; at least three samples are taken
     * @param seed     decides on the order of turns
     * @param progress receives the rounds done
     */
    public ReadBenchmark(double seconds, long seed, ProgressListener progress) {
        this.seconds = seconds;
        this.seed = seed;
        this.progress = progress;
    }

    /** A reader that takes part. */
    public interface Reader {
        /**
         * Returns who reads.
         *
         * @return {@code "trellis"} or the name of a peer
         */
        String name();

        /**
         * Returns how many threads it uses.
         *
         * @return at least 1
         */
        int threads();

        /**
         * Reads a file completely.
         *
         * @param file the file
         * @return the number of entries of the result
         * @throws IOException if it cannot be read
         */
        long read(Path file) throws IOException;

        /**
         * Reads a file completely and takes the time, in the process that reads.
         *
         * @param file the file
         * @return entries and seconds
         * @throws IOException if it cannot be read
         */
        default Reading time(Path file) throws IOException {
            return Reading.of(this::read, file);
        }
    }

    /**
     * The times of a reader.
     *
     * @param reader  who read
     * @param threads threads that it used
     * @param entries entries of the result
     * @param samples seconds of each time
     * @param problem why there are no times, empty if there are
     */
    public record Times(String reader, int threads, long entries, double[] samples, String problem) {}

    /**
     * Measures all readers on a file.
     *
     * @param file    the file
     * @param readers who takes part
     * @return times of each, or what went wrong
     */
    public List<Times> run(Path file, List<Reader> readers) {
        List<Competitor> competitors = readers.stream().map(Competitor::new).toList();
        int rounds = MOST_ROUNDS;
        List<List<Integer>> schedule = Schedule.rounds(readers.size(), MOST_ROUNDS, seed);
        competitors.forEach(competitor -> competitor.read(file, false));
        for (int round = 0; round < rounds; round++) {
            progress.progress("read " + file.getFileName(), round, rounds);
            System.gc();
            for (int index : schedule.get(round)) {
                competitors.get(index).read(file, true);
            }
            boolean enough = competitors.stream().allMatch(competitor -> competitor.spent >= seconds);
            if (round + 1 >= LEAST_ROUNDS && enough) {
                rounds = round;
            }
        }
        return competitors.stream().map(Competitor::times).toList();
    }

    /**
     * A reader with its times so far. The first time, which also loads code and fills the page cache, does not count.
     */
    private static final class Competitor {
        private final Reader reader;
        private final List<Double> samples = new ArrayList<>();
        private double spent;
        private long entries;
        private String problem = "";

        Competitor(Reader reader) {
            this.reader = reader;
        }

        // A reader may be anybody's code: whatever it throws is its failure, and the others go on.
        @SuppressWarnings("checkstyle:IllegalCatch")
        void read(Path file, boolean counts) {
            if (!problem.isEmpty()) {
                spent = Double.POSITIVE_INFINITY;
                return;
            }
            double time;
            try {
                Reading reading = reader.time(file);
                entries = reading.entries();
                time = reading.seconds();
            } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
                problem = e.getMessage() == null ? e.toString() : e.getMessage();
                return;
            }
            if (counts) {
                samples.add(time);
                spent += time;
            }
        }

        Times times() {
            return new Times(reader.name(), reader.threads(), entries,
                    samples.stream().mapToDouble(Double::doubleValue).toArray(), problem);
        }
    }
}
