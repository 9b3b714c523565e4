package org.trellis.adapt;

/**
 * What an adaptation whose vertices were moved by loops has sent to their backend and taken back. On a backend of the
 * host the same is handed over in memory.
 *
 * @param backend        where the loops ran
 * @param runs           how often vertices were moved there
 * @param bytesSent      bytes of the metric's raster, of positions, surroundings of vertices and corners of elements
 * @param bytesFetched   bytes of positions, metric, qualities and lengths of edges, and of how many have moved
 * @param prepareSeconds time in which surroundings were listed, coloured and sent, and loops made
 * @param runSeconds     time in which the backend worked
 * @param fetchSeconds   time in which results were taken back
 */
public record LoopTraffic(String backend, int runs, long bytesSent, long bytesFetched, double prepareSeconds,
        double runSeconds, double fetchSeconds) {

    /** Adds up. */
    static final class Counter {
        private static final double NANO = 1e-9;

        private final String backend;
        private int runs;
        private long sent;
        private long fetched;
        private long prepareNanos;
        private long runNanos;
        private long fetchNanos;

        Counter(String backend) {
            this.backend = backend;
        }

        void sent(long bytes) {
            sent += bytes;
        }

        void fetched(long bytes) {
            fetched += bytes;
        }

        void time(long prepare, long run, long fetch) {
            runs++;
            prepareNanos += prepare;
            runNanos += run;
            fetchNanos += fetch;
        }

        LoopTraffic total() {
            return new LoopTraffic(backend, runs, sent, fetched, NANO * prepareNanos, NANO * runNanos,
                    NANO * fetchNanos);
        }
    }
}
