package org.trellis.solve.direct;

import java.util.function.Supplier;
import org.trellis.solve.direct.FactorisationException.Reason;

/** Keeps the limits of one factorisation: its clock starts when this is made. */
final class FactorMeter {
    private final String what;
    private final FactorLimits limits;
    private final long started = System.nanoTime();

    /**
     * Starts the clock.
     *
     * @param what   the factorisation, for messages
     * @param limits what it may take
     */
    FactorMeter(String what, FactorLimits limits) {
        this.what = what;
        this.limits = limits;
    }

    /** Returns the time since this was made. */
    double seconds() {
        return (System.nanoTime() - started) * 1e-9;
    }

    /**
     * Ends the factorisation once its time is over.
     *
     * @param done  columns eliminated
     * @param total columns of the matrix
     * @throws FactorisationException if more time has passed than there is
     */
    void checkTime(int done, int total) {
        if (limits.seconds() != Double.POSITIVE_INFINITY && seconds() > limits.seconds()) {
            throw new FactorisationException(what + ": the limit of " + (float) limits.seconds()
                    + " seconds is over after " + done + " of " + total + " columns", Reason.TIME, done, Double.NaN);
        }
    }

    /**
     * Ends an analysis whose factors have more entries than they may.
     *
     * @param entries counted so far
     * @param done    columns counted
     * @throws FactorisationException if that is more than there may be
     */
    void checkEntries(double entries, int done) {
        if (entries > limits.entries()) {
            throw new FactorisationException(what + ": the factors have " + (long) entries + " entries or more after "
                    + done + " columns, of which there may be " + (long) limits.entries(), Reason.MEMORY, done,
                    Double.NaN);
        }
    }

    /**
     * Says whether there is a limit of entries.
     *
     * @return false if they may be any number
     */
    boolean limitsEntries() {
        return limits.entries() != Double.POSITIVE_INFINITY;
    }

    /**
     * Returns how many more entries there may be.
     *
     * @param before entries so far
     * @return at most the greatest long number
     */
    long entriesLeft(long before) {
        return (long) (limits.entries() - before);
    }

    /**
     * Allocates arrays of factors.
     *
     * @param <T>   what is allocated
     * @param bytes all that the factors have then
     * @param done  columns eliminated
     * @param make  allocates
     * @return what was made
     * @throws FactorisationException if that is more than there may be, or than the heap has
     */
    <T> T allocate(double bytes, int done, Supplier<T> make) {
        if (bytes > limits.bytes()) {
            throw tooLarge(bytes, done, "of which there may be " + limits.bytes());
        }
        try {
            return make.get();
        } catch (OutOfMemoryError e) {
            // One large array that did not fit leaves the heap as it was.
            throw tooLarge(bytes, done, "more than the heap has left");
        }
    }

    /**
     * Returns why factors cannot be stored.
     *
     * @param bytes  all that the factors would need so far
     * @param done   columns eliminated
     * @param limits what there is
     * @return the exception
     */
    FactorisationException tooLarge(double bytes, int done, String limits) {
        return new FactorisationException(what + ": after " + done + " columns the factors need "
                + (long) Math.ceil(bytes / (1 << 20)) + " MiB (" + (long) bytes + " bytes), " + limits, Reason.MEMORY,
                done, Double.NaN);
    }
}
