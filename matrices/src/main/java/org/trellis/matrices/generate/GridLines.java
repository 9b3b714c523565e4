package org.trellis.matrices.generate;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * Divides the unit interval into cells, for grids whose lines are not equally far apart.
 *
 * @param spacing how widths are distributed
 * @param ratio   between the greatest and the least width, at least 1; not used for {@link Spacing#UNIFORM}
 * @param seed    for {@link Spacing#PERTURBED}
 */
public record GridLines(Spacing spacing, double ratio, long seed) {
    /** How widths of cells are distributed. */
    public enum Spacing {
        /** All the same. */
        UNIFORM,
        /** In a geometric series, the widest first and the finest at the end, as for a boundary layer there. */
        STRETCHED,
        /** Drawn for each cell, their logarithms uniformly. */
        PERTURBED
    }

    /**
     * Checks the ratio.
     *
     * @throws IllegalArgumentException if it is less than 1 or not finite
     */
    public GridLines {
        if (!(ratio >= 1) || Double.isInfinite(ratio)) {
            throw new IllegalArgumentException(
                    "ratio of widths is " + ratio + ", expected a finite number of at least 1");
        }
    }

    /**
     * Divides the interval.
     *
     * @param axis  0, 1 or 2: each has other random widths
     * @param cells how many, at least 1
     * @return their widths, which add up to 1 but for rounding
     * @throws IllegalArgumentException if there are no cells
     */
    public double[] widths(int axis, int cells) {
        Checks.positive("cells", cells);
        double[] widths = new double[cells];
        SplitMix random = SplitMix.of(seed, axis);
        for (int i = 0; i < cells; i++) {
            widths[i] = switch (spacing) {
                case UNIFORM -> 1;
                case STRETCHED -> cells == 1 ? 1 : StrictMath.pow(ratio, -i / (cells - 1.0));
                case PERTURBED -> StrictMath.pow(ratio, random.nextDouble());
            };
        }
        double sum = Arrays.stream(widths).sum();
        Arrays.setAll(widths, i -> widths[i] / sum);
        return widths;
    }
}
