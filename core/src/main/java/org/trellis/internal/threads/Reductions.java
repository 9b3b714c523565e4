package org.trellis.internal.threads;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopRange;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;

/** Combines the accumulators of all units with the globals, in the order of units: the same bits every time. */
final class Reductions {
    /** One reduced argument. */
    private record Reduction(int argument, Access access, Global global) {}

    private final Reduction[] reductions;
    private final LoopRange[] ranges;

    Reductions(LoopDeclaration loop, LoopRange[] ranges) {
        List<Reduction> found = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a).reduces()) {
                found.add(new Reduction(a, loop.access(a), (Global) loop.argument(a)));
            }
        }
        reductions = found.toArray(Reduction[]::new);
        this.ranges = ranges;
    }

    /** Sets the accumulators to the neutral element. */
    void start() {
        for (Reduction reduction : reductions) {
            for (LoopRange range : ranges) {
                if (reduction.global.real()) {
                    Arrays.fill(range.reals(reduction.argument), switch (reduction.access) {
                        case MIN -> Double.POSITIVE_INFINITY;
                        case MAX -> Double.NEGATIVE_INFINITY;
                        default -> 0;
                    });
                } else {
                    Arrays.fill(range.ints(reduction.argument), switch (reduction.access) {
                        case MIN -> Integer.MAX_VALUE;
                        case MAX -> Integer.MIN_VALUE;
                        default -> 0;
                    });
                }
            }
        }
    }

    /** Combines the accumulators with the globals. */
    void finish() {
        for (Reduction reduction : reductions) {
            for (LoopRange range : ranges) {
                if (reduction.global.real()) {
                    combine(reduction.access, reduction.global.doubles(), range.reals(reduction.argument));
                } else {
                    combine(reduction.access, reduction.global.ints(), range.ints(reduction.argument));
                }
            }
        }
    }

    private static void combine(Access access, double[] result, double[] part) {
        for (int c = 0; c < result.length; c++) {
            result[c] = switch (access) {
                case MIN -> Math.min(result[c], part[c]);
                case MAX -> Math.max(result[c], part[c]);
                default -> result[c] + part[c];
            };
        }
    }

    private static void combine(Access access, int[] result, int[] part) {
        for (int c = 0; c < result.length; c++) {
            result[c] = switch (access) {
                case MIN -> Math.min(result[c], part[c]);
                case MAX -> Math.max(result[c], part[c]);
                default -> result[c] + part[c];
            };
        }
    }
}
