package org.trellis.mesh.loop;

import java.util.Collections;
import java.util.Map;

/**
 * How often and how fast a loop ran.
 *
 * @param name               the kernel
 * @param set                the name of the set
 * @param parameters         how it was run
 * @param runs               how often
 * @param seconds            time of all runs: on the clock of a device that works asynchronously, or else wall time
 * @param preparationSeconds wall time of making plan and code, not part of {@code seconds}
 * @param usefulBytes        bytes that one run must move: direct dats, each indirect value once, maps
 * @param statistics         figures of the plan
 * @param device             figures of the code that a device runs; empty on a CPU
 */
public record LoopReport(String name, String set, LoopParameters parameters, long runs, double seconds,
        double preparationSeconds, long usefulBytes, LoopStatistics statistics, Map<String, String> device) {
    /** Keeps an unmodifiable view of the figures. */
    public LoopReport {
        device = Collections.unmodifiableMap(device);
    }

    /**
     * Creates the report of a loop on a CPU.
     *
     * @param name               the kernel
     * @param set                the name of the set
     * @param parameters         how it was run
     * @param runs               how often
     * @param seconds            wall time of all runs
     * @param preparationSeconds wall time of making plan and code
     * @param usefulBytes        bytes that one run must move
     * @param statistics         figures of the plan
     */
    public LoopReport(String name, String set, LoopParameters parameters, long runs, double seconds,
            double preparationSeconds, long usefulBytes, LoopStatistics statistics) {
        this(name, set, parameters, runs, seconds, preparationSeconds, usefulBytes, statistics, Map.of());
    }

    /**
     * Returns the useful bandwidth.
     *
     * @return in 10⁹ bytes a second; 0 if the loop has not run
     */
    public double gigabytesPerSecond() {
        return seconds == 0 ? 0 : usefulBytes * (double) runs / seconds * 1e-9;
    }
}
