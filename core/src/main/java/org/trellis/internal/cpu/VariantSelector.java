package org.trellis.internal.cpu;

/**
 * Goes from one way of doing something to a new one that is expected to be faster. The new way is tried out in small
 * until its code is compiled; then the two take turns in the work that the program does anyway, and the faster one is
 * taken. That is examined again at growing intervals, and at once when the work becomes far slower.
 */
abstract class VariantSelector {
    /** How many times in a row the new way may be slow, or its code be thrown away, before the old one is kept. */
    private static final int MOST_SETBACKS = 4;
    /** Work after the first setback until the variants are compared again, in nanoseconds; twice as much each time. */
    private static final long REST_NANOS = 50_000_000;
    /** Times far longer than usual in a row after which the variants are compared again. */
    private static final int MOST_SLOW = 3;
    private static final int SLOW = 4;
    /** A run counts as at most so many usual ones: what is longer, other programs have had. So does a trial. */
    private static final int CREDIT = 2;
    private static final long FIRST_INTERVAL = 1_000_000_000;
    /** Intervals after which a dropped way is tried once more, which takes a conversion and a comparison. */
    private static final int DROPPED = 8;

    /** Runs of at most so many nanoseconds are timed now and then: reading the clock twice takes a twentieth of it. */
    private static final int SHORT = 1_000;
    /** One of so many short runs is timed. */
    private static final int SAMPLED = 16;

    /** How far the choice has come. */
    enum Stage {
        /** The code of the new way is not compiled. */
        TRYING,
        /** Both variants take turns. */
        COMPARING,
        /** One way is taken. */
        SETTLED
    }

    private final TrialBudget budget;
    private Comparison comparison;
    private Stage stage = Stage.TRYING;
    private boolean newTaken;
    private boolean settled;
    private long usual = Long.MAX_VALUE;
    private int setbacks;
    private int slow;
    private int untimed;
    private int weight = 1;
    private long own;
    private long rest;
    private long settledFor;
    private long interval = FIRST_INTERVAL;

    VariantSelector(TrialBudget budget) {
        this.budget = budget;
    }

    final TrialBudget budget() {
        return budget;
    }

    final Stage stage() {
        return stage;
    }

    /** Says whether a variant has been taken, be it that the variants are compared once more. */
    public final boolean isSettled() {
        return settled;
    }

    /** Says whether the new way is in use. */
    final boolean isNewTaken() {
        return newTaken;
    }

    /** Says whether the next run is in the new way. */
    final boolean runsNew() {
        return stage == Stage.COMPARING ? comparison.turn() == Comparison.NEW : newTaken;
    }

    /** Returns the shortest time of the old way, or of late the usual time of the way that is taken. */
    final long usual() {
        return usual;
    }

    /** Returns what has gone into this work since the old way was last taken up, in nanoseconds. */
    final long ownWork() {
        return own;
    }

    /** Says whether the next run is to be timed; asked before each run of work that may be short. */
    public final boolean isTimed() {
        if (stage == Stage.COMPARING || usual > SHORT) {
            untimed = 0;
            weight = 1;
            return true;
        }
        untimed++;
        if (untimed < SAMPLED) {
            return false;
        }
        untimed = 0;
        weight = SAMPLED;
        return true;
    }

    /** Returns what a trial counts as that took some time, and at best another. */
    static long counted(long nanoseconds, long best) {
        return Math.min(nanoseconds, CREDIT * best);
    }

    /** Learns how long a run took. */
    final void ran(long nanoseconds) {
        if (stage == Stage.TRYING) {
            usual = Math.min(usual, nanoseconds);
        }
        long work = weight * Math.min(nanoseconds, CREDIT * usual);
        budget.worked(work);
        own += work;
        rest -= work;
        switch (stage) {
            case TRYING -> {}
            case COMPARING -> compare(nanoseconds);
            case SETTLED -> watch(nanoseconds);
        }
    }

    /** Says whether the compiler has had time to take the new way since the last setback. */
    final boolean isRested() {
        return rest <= 0;
    }

    /** Begins to compare: the new way is compiled. */
    final void compare() {
        comparison = new Comparison();
        stage = Stage.COMPARING;
    }

    private void compare(long nanoseconds) {
        if (comparison.isFar(nanoseconds)) {
            setBack();
            return;
        }
        comparison.add(nanoseconds);
        if (!comparison.isOver()) {
            return;
        }
        if (comparison.newWins()) {
            setbacks = 0;
            settle(true);
        } else {
            budget.tried(comparison.lost());
            setBack();
        }
    }

    /** Tries the new way out again, since more of its code may be compiled by then, unless that has been done often. */
    private void setBack() {
        newTaken = false;
        if (++setbacks > MOST_SETBACKS) {
            settle(false);
        } else {
            comparison = null;
            rest = REST_NANOS << (setbacks - 1);
            restart();
            stage = Stage.TRYING;
            settled = false;
        }
    }

    /** Tries out a way that has been dropped: what spoke against it may have been other programs. */
    private void tryOnceMore() {
        interval *= 2;
        setbacks = MOST_SETBACKS;
        own = 0;
        restart();
        stage = Stage.TRYING;
    }

    /** Takes a way. */
    final void settle(boolean takeNew) {
        stage = Stage.SETTLED;
        newTaken = takeNew;
        settled = true;
        settledFor = 0;
        slow = 0;
        if (comparison != null) {
            usual = comparison.quartile(takeNew ? Comparison.NEW : Comparison.OLD);
            comparison = null;
        }
        if (!takeNew) {
            drop();
        }
    }

    /** Looks again at growing intervals, since the machine may have been busy, and at once if the code is gone. */
    private void watch(long nanoseconds) {
        settledFor += weight * nanoseconds;
        if (!newTaken) {
            if (settledFor > DROPPED * interval) {
                tryOnceMore();
            }
            return;
        }
        slow = nanoseconds > SLOW * usual ? slow + 1 : 0;
        if (slow >= MOST_SLOW || settledFor > interval) {
            interval *= 2;
            compare();
        }
    }

    /** Begins to try out again, since the compiler has thrown the code away. */
    abstract void restart();

    /** Forgets the new way, which is not taken. */
    abstract void drop();
}
