package org.trellis.mesh;

/**
 * How often and how fast a loop ran.
 *
 * @param name               the kernel
 * @param set                the name of the set
 * @param parameters         how it was run
 * @param runs               how often
 * @param seconds            wall time of all runs
 * @param preparationSeconds wall time of making plan and code, not part of {@code seconds}
 * @param usefulBytes        bytes that one run must move: direct dats, each indirect value once, maps
 * @param statistics         figures of the plan
 */
public record LoopReport(String name, String set, LoopParameters parameters, long runs, double seconds,
        double preparationSeconds, long usefulBytes, LoopStatistics statistics) {
    /**
     * Returns the useful bandwidth.
     *
     * @return in 10⁹ bytes a second; 0 if the loop has not run
     */
    public double gigabytesPerSecond() {
        return seconds == 0 ? 0 : usefulBytes * (double) runs / seconds * 1e-9;
    }
}
