package org.trellis.tuner.loop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopParameters;

/**
 * Knows which code the JVM has compiled. Loops are specialised classes, one for each kernel, precision, layout, style
 * and way of adding; the first runs of such a class are interpreted and take up to a hundred times as long as later
 * ones. They are done like all others, but their times do not count. Once in a process for each class.
 */
final class LoopWarmUp {
    private static final Map<String, LoopWarmUp> ALL = new ConcurrentHashMap<>();
    private static final double NOTABLE = 1.1;
    private static final int LEAST_RUNS = 3;

    private double fastest = Double.POSITIVE_INFINITY;
    private long improved;
    private int runsSince;

    private LoopWarmUp() {}

    /** Finds what is known of the code that a loop runs with some parameters. */
    static LoopWarmUp of(String backend, LoopDeclaration loop, LoopParameters parameters) {
        StringBuilder kind = new StringBuilder(backend).append(' ').append(loop.name()).append(' ');
        kind.append(loop.precision() == Precision.F32 ? 'f' : 'd').append(parameters.style());
        kind.append(switch (parameters.scheme()) {
            case IN_ORDER, TWO_LEVEL, RECOMPUTE, ATOMICS -> "direct";
            case BLOCK_PERMUTE, FULL_PERMUTE -> "listed";
            case TEMPORARY -> "stored";
            case OWNER_COMPUTE -> "owned";
        }).append(parameters.fission());
        for (int a = 0; a < loop.arity(); a++) {
            Dat dat = loop.dat(a);
            if (dat != null) {
                kind.append(' ').append(dat.elementStride()).append('/').append(dat.componentStride())
                        .append(loop.map(a) != null);
            }
        }
        return ALL.computeIfAbsent(kind.toString(), key -> new LoopWarmUp());
    }

    /** Returns whether runs have not become notably shorter for some time, in which the JVM could compile. */
    boolean isOver(double seconds) {
        return seconds == 0 || (runsSince >= LEAST_RUNS && (System.nanoTime() - improved) * 1e-9 >= seconds);
    }

    void ran(double seconds) {
        if (seconds * NOTABLE < fastest) {
            improved = System.nanoTime();
            runsSince = 0;
        } else {
            runsSince++;
        }
        fastest = Math.min(fastest, seconds);
    }
}
