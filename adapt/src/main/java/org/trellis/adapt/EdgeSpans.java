package org.trellis.adapt;

import java.util.Arrays;

/**
 * The shortest and longest edge of each element of a mesh in adaptation, as they were measured where vertices were
 * moved; elements that have come since are not known. Code that looks for edges to split or collapse need not measure
 * where nothing can be found.
 */
final class EdgeSpans {
    /** Lengths are measured elsewhere, with another rounding. */
    private static final double SLACK = 1e-9;

    /** Two numbers for each element; none at all before the first measurement. */
    private double[] spans = new double[0];

    /** Takes what has been measured: two numbers for each of some elements; all others are not known. */
    void measured(Team team, int elements, int[] alive, double[] values) {
        spans = new double[2 * elements];
        Arrays.setAll(spans, i -> i % 2 == 0 ? 0 : Double.POSITIVE_INFINITY);
        team.run(alive.length, 1024, () -> spans, (from, to, all) -> {
            for (int i = from; i < to; i++) {
                all[2 * alive[i]] = values[2 * i];
                all[2 * alive[i] + 1] = values[2 * i + 1];
            }
        });
    }

    /** Forgets an element, which has become another one. */
    void forget(int element) {
        if (2 * element < spans.length) {
            spans[2 * element] = 0;
            spans[2 * element + 1] = Double.POSITIVE_INFINITY;
        }
    }

    /** Gives elements new numbers; called for all that stay, in a copy that {@link #renumbered} takes. */
    static void move(double[] from, int element, double[] to, int place) {
        if (2 * element < from.length) {
            to[2 * place] = from[2 * element];
            to[2 * place + 1] = from[2 * element + 1];
        } else {
            to[2 * place + 1] = Double.POSITIVE_INFINITY;
        }
    }

    double[] values() {
        return spans;
    }

    void renumbered(double[] values) {
        spans = values;
    }

    /** Returns whether an element may have an edge longer than a limit. */
    boolean mayBeLonger(int element, double limit) {
        return 2 * element >= spans.length || spans[2 * element + 1] * (1 + SLACK) > limit;
    }

    /** Returns whether an element may have an edge shorter than a limit. */
    boolean mayBeShorter(int element, double limit) {
        return 2 * element >= spans.length || spans[2 * element] * (1 - SLACK) < limit;
    }

    /** Returns the longest edge of an element if that is known, or else infinity. */
    double longest(int element) {
        return 2 * element < spans.length ? spans[2 * element + 1] : Double.POSITIVE_INFINITY;
    }
}
