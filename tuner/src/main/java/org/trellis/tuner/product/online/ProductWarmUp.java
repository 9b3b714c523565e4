package org.trellis.tuner.product.online;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;

/**
 * Runs products on a CPU until the JVM has compiled them. A loop of the Vector API that is not compiled yet takes up to
 * four hundred times as long as one that is, and its compilation takes a second when the products themselves keep all
 * processors busy; so the first product of its kind in a process is given more time than those that come after.
 */
public final class ProductWarmUp {
    private static final double FIRST_WINDOW = 1.0;
    private static final double WINDOW = 0.2;
    private static final double LONGEST = 4;
    private static final double STEADY = 0.97;
    private static final Set<String> WARM = ConcurrentHashMap.newKeySet();

    private ProductWarmUp() {}

    /**
     * Names the code that runs for given parameters: variants of the same kind share it.
     *
     * @param backend    the backend
     * @param parameters how a product runs
     * @param precision  of its values
     * @return a name
     */
    static String kind(Backend backend, SpmvParameters parameters, Precision precision) {
        return backend.name() + ' ' + parameters.family() + ' ' + parameters.simd() + ' '
                + (parameters.blockSize() > 0) + ' ' + precision;
    }

    /**
     * Runs a product until the fastest has not become notably faster for 0.2 s, or for a second if it is the first of
     * its kind in this process; for four seconds at most.
     *
     * @param backend    the backend that runs it
     * @param parameters how it runs
     * @param precision  of its values
     * @param product    runs it once, to its end
     */
    public static void run(Backend backend, SpmvParameters parameters, Precision precision, Runnable product) {
        double window = WARM.add(kind(backend, parameters, precision)) ? FIRST_WINDOW : WINDOW;
        run(product, window, LONGEST);
    }

    /**
     * Runs something until the fastest run has not become notably faster for a while.
     *
     * @param work    what to run
     * @param window  how long that while is, in seconds
     * @param longest when to stop in any case, in seconds
     */
    static void run(Runnable work, double window, double longest) {
        long start = System.nanoTime();
        double fastest = Double.POSITIVE_INFINITY;
        double improved = 0;
        double elapsed = 0;
        while (elapsed - improved < window && elapsed < longest) {
            double before = elapsed;
            work.run();
            elapsed = (System.nanoTime() - start) * 1e-9;
            double seconds = elapsed - before;
            if (seconds < STEADY * fastest) {
                improved = elapsed;
            }
            fastest = Math.min(fastest, seconds);
        }
    }
}
