package org.trellis.bench.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvFamily;
import org.trellis.tuner.profile.TuningResult;

/**
 * What a search found, by cooperating threads and rows of a group: of each pair the best time of the family that won,
 * whatever its other parameters, as a share of the best of all (thesis, figure 4.13).
 */
public final class HeatMap {
    private final TuningResult best;
    private final List<TuningResult> shown;
    private final int[] threads;
    private final int[] rows;

    private HeatMap(TuningResult best, List<TuningResult> shown) {
        this.best = best;
        this.shown = shown;
        this.threads = shown.stream().mapToInt(r -> r.parameters().cooperatingThreads()).distinct().sorted().toArray();
        this.rows = shown.stream().mapToInt(r -> r.parameters().rowsPerGroup()).distinct().sorted().toArray();
    }

    /**
     * Sorts results into a map.
     *
     * @param results what was measured of one matrix in one precision
     * @return the map, or empty if the family that won varies neither
     */
    public static Optional<HeatMap> of(List<TuningResult> results) {
        return results.stream().filter(TuningResult::isCorrect)
                .min(Comparator.comparingDouble(TuningResult::medianSeconds))
                .map(best -> new HeatMap(best, results.stream().filter(result -> result.isCorrect()
                        && result.parameters().family() == best.parameters().family()).toList()))
                .filter(map -> map.threads.length * map.rows.length > 1);
    }

    /**
     * Returns the family that won.
     *
     * @return the family that is shown
     */
    public SpmvFamily family() {
        return best.parameters().family();
    }

    /**
     * Returns the type of the values.
     *
     * @return the precision of the products
     */
    public Precision precision() {
        return best.precision();
    }

    /**
     * Returns one axis.
     *
     * @return the numbers of cooperating threads, upwards; a copy
     */
    public int[] threads() {
        return threads.clone();
    }

    /**
     * Returns the other axis.
     *
     * @return the numbers of rows of a group, upwards; a copy
     */
    public int[] rows() {
        return rows.clone();
    }

    /**
     * Returns what a pair reaches.
     *
     * @param threadsIndex place in {@link #threads()}
     * @param rowsIndex    place in {@link #rows()}
     * @return the share of the best speed, from 0 to 1, or NaN if the pair was not measured
     */
    public double share(int threadsIndex, int rowsIndex) {
        double least = shown.stream()
                .filter(result -> result.parameters().cooperatingThreads() == threads[threadsIndex]
                        && result.parameters().rowsPerGroup() == rows[rowsIndex])
                .mapToDouble(TuningResult::medianSeconds).min().orElse(Double.NaN);
        return best.medianSeconds() / least;
    }
}
