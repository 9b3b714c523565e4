package org.trellis.mesh.checkpoint;

import org.trellis.mesh.Dat;

/** What is known of a dat: whether its values come from steps, and what a checkpoint that has begun does with it. */
final class DatState {
    private static final long FACTOR = 31;

    /** What the checkpoint that has begun does with the dat. */
    enum Decision {
        /** Nothing: there is no checkpoint, or the dat is as the program declared it. */
        NONE,
        /** No step has touched it since. */
        FLAGGED,
        /** It is saved. */
        SAVED,
        /** It has been overwritten before it was read. */
        DROPPED
    }

    private final Dat dat;
    private final String name;
    private Decision decision = Decision.NONE;
    private boolean dirty;
    private boolean known = true;
    private long given;
    private final CopyBuffer room = new CopyBuffer();
    private SavedDat saved;

    /** In which step of a solver loops have changed the values that are there, counted from 1; 0 for none. */
    private long within;

    DatState(Dat dat, String name) {
        this.dat = dat;
        this.name = name;
    }

    /** Returns the name in files, which distinguishes dats of solvers from others. */
    String name() {
        return name;
    }

    /** Says in which step of a solver the values were left that are there, 0 for none. */
    long within() {
        return within;
    }

    /** Notes that the values belong to work within a step of a solver: no other reads them. */
    void leftWithin(long step) {
        within = step;
        dirty = false;
    }

    /** Notes that the values have an owner, or none, from now on. */
    void ownAgain() {
        within = 0;
    }

    /** A solver that is done reads them no more. */
    void dismissed() {
        dirty = false;
    }

    Dat dat() {
        return dat;
    }

    /** Returns the bytes of all values, on all ranks. */
    long bytes() {
        return (long) dat.set().size() * dat.components() * dat.type().bytes();
    }

    /** Says whether a step has changed values that the program has not overwritten since: only then are they saved. */
    boolean dirty() {
        return dirty;
    }

    /** Says whether a program that starts again has the values from what it has read. */
    boolean known() {
        return known;
    }

    void changedByStep() {
        dirty = true;
        known = false;
    }

    void becameKnown(boolean entirely) {
        known = true;
        dirty &= !entirely;
    }

    /** Notes what the program has given. */
    void given(boolean whole, long hash) {
        given = FACTOR * given + hash + 1;
        if (whole) {
            dirty = false;
            known = true;
            within = 0;
        }
    }

    /** Says what the program has given so far, in one number. */
    long given() {
        return given;
    }

    Decision decision() {
        return decision;
    }

    void decide(Decision wanted) {
        decision = wanted;
    }

    /** Returns memory for a copy of the values. */
    CopyBuffer room() {
        return room;
    }

    /** Returns what the last checkpoint took of the values, or null. */
    SavedDat saved() {
        return saved;
    }

    void save(SavedDat values) {
        saved = values;
        decision = Decision.SAVED;
    }
}
