package org.trellis.mesh;

import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopTuning;

/** The two variants in which a loop that is being tuned is ready to run: the best so far, and one that is tried. */
final class LoopTrials {
    private final LoopKernels kernels;
    private final LoopDeclaration loop;
    private final LoopTuning tuning;
    private Variant best;
    private Variant tried;
    private long preparation;
    private double retiredSeconds;
    private boolean closed;

    /** A variant of running that is ready. */
    private static final class Variant {
        private final LoopParameters parameters;
        private final PreparedLoop prepared;
        private long runs;

        Variant(LoopParameters parameters, PreparedLoop prepared) {
            this.parameters = parameters;
            this.prepared = prepared;
        }

        double deviceSeconds() {
            return prepared.deviceSeconds().orElse(0) * runs;
        }
    }

    /** Begins with the tuner's first guess, which is prepared. */
    @SuppressWarnings("MustBeClosed") // closed with this
    LoopTrials(LoopKernels kernels, LoopDeclaration loop, LoopTuner tuner) {
        this.kernels = kernels;
        this.loop = loop;
        this.tuning = tuner.begin(loop, kernels.refine(loop, kernels.rule(loop)));
        try {
            best = prepare(tuning.best());
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    private Variant prepare(LoopParameters wanted) {
        long start = System.nanoTime();
        @SuppressWarnings("MustBeClosed") // the variant's, which is closed with this
        PreparedLoop prepared = kernels.prepare(loop, wanted);
        long time = System.nanoTime() - start;
        preparation += time;
        try {
            tuning.prepared(wanted, time * 1e-9);
        } catch (RuntimeException | OutOfMemoryError e) {
            prepared.close();
            throw e;
        }
        return new Variant(wanted, prepared);
    }

    /** Runs the loop once, and returns the wall time of that in nanoseconds, without preparation. */
    long run() {
        Variant variant = variant();
        tuning.beforeRun();
        long start = System.nanoTime();
        variant.prepared.run();
        long time = System.nanoTime() - start;
        tuning.afterRun();
        variant.runs++;
        follow();
        return time;
    }

    /** The variant that is tried may have become the best. */
    private void follow() {
        if (tried != null && tuning.best().equals(tried.parameters)) {
            Variant loser = best;
            best = tried;
            tried = loser;
        }
    }

    /** Finds the variant that is requested next, which may have to be prepared. */
    private Variant variant() {
        while (true) {
            LoopParameters wanted = tuning.next();
            follow();
            if (wanted.equals(best.parameters)) {
                return best;
            }
            if (tried != null && wanted.equals(tried.parameters)) {
                return tried;
            }
            retire();
            long start = System.nanoTime();
            try {
                tried = prepare(wanted);
                return tried;
            } catch (RuntimeException | OutOfMemoryError e) {
                long time = System.nanoTime() - start;
                preparation += time;
                if (!tuning.refused(wanted, e, time * 1e-9)) {
                    throw e;
                }
            }
        }
    }

    /** Lets all that is ready take over an argument; says whether it could. */
    boolean rebind(int argument) {
        return best.prepared.rebind(argument) && (tried == null || tried.prepared.rebind(argument));
    }

    private void retire() {
        if (tried != null) {
            retiredSeconds += tried.deviceSeconds();
            tried.prepared.close();
            tried = null;
        }
    }

    boolean isFinished() {
        return tuning.isFinished();
    }

    /** The best variant's parameters. */
    LoopParameters parameters() {
        return best.parameters;
    }

    /** The best variant. */
    PreparedLoop prepared() {
        return best.prepared;
    }

    /** Runs of the best variant. */
    long bestRuns() {
        return best.runs;
    }

    /** Time of the other variants' runs on an asynchronous device. */
    double otherSeconds() {
        return retiredSeconds + (tried == null ? 0 : tried.deviceSeconds());
    }

    /** Nanoseconds of preparation since this was last asked. */
    long takePreparation() {
        long taken = preparation;
        preparation = 0;
        return taken;
    }

    void resetTimes() {
        retiredSeconds = 0;
        best.runs = 0;
        best.prepared.resetTimes();
        if (tried != null) {
            tried.runs = 0;
            tried.prepared.resetTimes();
        }
    }

    /** Closes everything but the best variant, which belongs to the loop from now on. */
    void finish() {
        retire();
        tuning.close();
        closed = true;
    }

    /** Closes everything. */
    void close() {
        if (!closed) {
            closed = true;
            if (tried != null) {
                tried.prepared.close();
            }
            if (best != null) {
                best.prepared.close();
            }
            tuning.close();
        }
    }
}
