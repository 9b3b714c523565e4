package org.trellis.solve.multigrid;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a multigrid method consists of.
 *
 * @param coarsening         how levels were made, for reading
 * @param cycle              the cycle, such as {@code V(1,1)}
 * @param levels             the levels, finest first
 * @param visits             the levels in the order in which a cycle comes to them
 * @param setupSeconds       the seconds of each phase of the set-up, in order
 * @param remarks            what was noticed, and what would help
 */
public record MultigridReport(String coarsening, String cycle, List<Level> levels, List<Integer> visits,
        Map<SetupPhase, Double> setupSeconds, List<String> remarks) {
    /** Copies the collections. */
    public MultigridReport {
        levels = List.copyOf(levels);
        visits = List.copyOf(visits);
        setupSeconds = Map.copyOf(setupSeconds);
        remarks = List.copyOf(remarks);
    }

    /**
     * A level.
     *
     * @param rows     the rows of its matrix
     * @param nonZeros the entries of its matrix
     * @param smoother what is done on it: the smoother, or on the coarsest the solution
     * @param product  how its product is run
     * @param prolongation how that with the prolongation is run; empty on the coarsest
     * @param restriction  how that with the restriction is run; empty on the coarsest
     * @param bytes    the memory of matrices, smoother and vectors on the backend
     * @param seconds  its time in a cycle, as measured step by step
     */
    public record Level(int rows, long nonZeros, String smoother, String product, String prolongation,
            String restriction, long bytes, double seconds) {
        /**
         * Returns the mean length of its rows.
         *
         * @return entries a row, 0 if there are none
         */
        public double meanRowLength() {
            return rows == 0 ? 0 : (double) nonZeros / rows;
        }
    }

    /**
     * Returns the rows of all levels as a multiple of those of the finest.
     *
     * @return at least 1
     */
    public double gridComplexity() {
        return levels.getFirst().rows() == 0
                ? 1
                : levels.stream().mapToDouble(Level::rows).sum() / levels.getFirst().rows();
    }

    /**
     * Returns the non-zeros of all levels as a multiple of those of the finest.
     *
     * @return at least 1
     */
    public double operatorComplexity() {
        return levels.getFirst().nonZeros() == 0
                ? 1
                : levels.stream().mapToDouble(level -> (double) level.nonZeros()).sum() / levels.getFirst().nonZeros();
    }

    /**
     * Returns the memory of matrices, smoothers and vectors on the backend.
     *
     * @return bytes of all levels
     */
    public long bytes() {
        return levels.stream().mapToLong(Level::bytes).sum();
    }

    /**
     * Returns the time of a cycle, step by step.
     *
     * @return seconds of all levels
     */
    public double cycleSeconds() {
        return levels.stream().mapToDouble(Level::seconds).sum();
    }

    /**
     * Returns the time of the whole set-up.
     *
     * @return seconds
     */
    public double totalSetupSeconds() {
        return setupSeconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns a table of the levels, and what else there is, over several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%s, cycle %s: %d levels, grid complexity %.3f, operator complexity "
                + "%.3f, %.1f MB%n", coarsening, cycle, levels.size(), gridComplexity(),
                operatorComplexity(), bytes() * 1e-6));
        text.append("level       rows   non-zeros  a row        MB  ms a cycle  smoother\n");
        for (int l = 0; l < levels.size(); l++) {
            Level level = levels.get(l);
            text.append(String.format(Locale.ROOT, "%5d %10d %11d %6.1f %9.3f %11.4f  %s%n", l, level.rows,
                    level.nonZeros, level.meanRowLength(), level.bytes * 1e-6, level.seconds * 1e3, level.smoother));
        }
        appendProducts(text);
        text.append(String.format(Locale.ROOT, "set-up %.4f s:", totalSetupSeconds()));
        for (SetupPhase phase : SetupPhase.values()) {
            if (setupSeconds.containsKey(phase)) {
                text.append(String.format(Locale.ROOT, " %s %.4f", phase.label(), setupSeconds.get(phase)));
            }
        }
        remarks.forEach(remark -> text.append("\nremark: ").append(remark));
        return text.toString();
    }

    private void appendProducts(StringBuilder text) {
        text.append("products of levels, prolongations, restrictions\n");
        for (int l = 0; l < levels.size(); l++) {
            Level level = levels.get(l);
            text.append(String.format(Locale.ROOT, "%5d  %s", l, level.product));
            if (!level.prolongation.isEmpty()) {
                text.append("; ").append(level.prolongation).append("; ").append(level.restriction);
            }
            text.append('\n');
        }
    }
}
