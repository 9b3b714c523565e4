package org.trellis.internal.cpu;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.trellis.internal.simd.VectorCode;

/**
 * What trying out vector code may cost: a share of the time that went into work, so that a program which ends soon has
 * lost little, and one that goes on gets there. Compiling is the same for all operators and loops of a process, so one
 * backend has one budget. Used by one thread at a time, as its backend is.
 */
final class TrialBudget {
    /**
     * One part of trials to so many of work. Vector code takes up to a quarter of scalar code's time, and a third of a
     * second of trials to be compiled: a larger share of work loses more by staying with scalar code than by trials
     * that a program which ends soon has made for nothing.
     */
    private static final int SHARE = 3;
    /** What loading the Vector API and having the first product or loop compiled takes, in nanoseconds. */
    private static final long LOADING = 250_000_000;
    /** What the first interpreted vectors of another product or loop may take. */
    private static final long INTERPRETED = 10_000_000;

    private final LongSupplier clock;
    private final int share;
    private final BooleanSupplier loaded;
    private long worked;
    private long tried;
    private long newProduct = INTERPRETED;

    TrialBudget() {
        this(System::nanoTime, SHARE, VectorCode::hasBegun);
    }

    /**
     * Creates a budget of a process that has no vector code.
     *
     * @param clock the time in nanoseconds
     * @param share work for each part of trials; with 0 there is room for any trial
     */
    TrialBudget(LongSupplier clock, int share) {
        this(clock, share, () -> false);
    }

    /**
     * Creates a budget.
     *
     * @param clock  the time in nanoseconds
     * @param share  work for each part of trials; with 0 there is room for any trial
     * @param loaded says whether the process has begun with vector code, of another backend perhaps
     */
    TrialBudget(LongSupplier clock, int share, BooleanSupplier loaded) {
        this.clock = clock;
        this.share = share;
        this.loaded = loaded;
    }

    /** Returns the time of the clock. */
    long now() {
        return clock.getAsLong();
    }

    /** Returns what the first trial of a product or loop may take, in nanoseconds. */
    long firstTrial() {
        return tried == 0 && !loaded.getAsBoolean() ? LOADING : INTERPRETED;
    }

    /** Returns what beginning with a product's trial may take once vectors are loaded, in nanoseconds. */
    long newProduct() {
        return newProduct;
    }

    /** Learns what beginning with a product's trial has taken: once its code is compiled, a fraction of what it was. */
    void newProductTook(long nanoseconds) {
        newProduct = Math.min(nanoseconds, INTERPRETED);
    }

    /** Adds time that went into work. */
    void worked(long nanoseconds) {
        worked += nanoseconds;
    }

    /** Adds time that went into trials. */
    void tried(long nanoseconds) {
        tried += nanoseconds;
    }

    /** Says whether there is room for a trial that may take some time. */
    boolean allows(long nanoseconds) {
        return (tried + nanoseconds) * share <= worked;
    }
}
