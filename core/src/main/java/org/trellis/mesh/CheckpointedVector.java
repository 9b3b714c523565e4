package org.trellis.mesh;

import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.Numbering;

/**
 * The vector of a dat of a mesh with checkpoints: solvers take it as right-hand side and solution, and report to
 * the checkpoints what they do; values can be taken and given as a whole. Whatever else would touch the values unseen,
 * and is refused with the first question for the numbering.
 */
final class CheckpointedVector implements DenseVector {
    private final Dat dat;
    private final DenseVector values;

    CheckpointedVector(Dat dat, DenseVector values) {
        this.dat = dat;
        this.values = values;
    }

    Dat dat() {
        return dat;
    }

    /** Returns what can be computed with. */
    DenseVector values() {
        return values;
    }

    private Passage passage() {
        return dat.set().mesh().running().passage();
    }

    private IllegalStateException refused(String what) {
        return new IllegalStateException(what + " of " + dat + " of a mesh with checkpoints, which would not see what "
                + "becomes of its data; expected a solver's b and x, loops, and values that are taken and given");
    }

    @Override
    public int length() {
        return values.length();
    }

    @Override
    public Precision precision() {
        return values.precision();
    }

    @Override
    public MemorySpace space() {
        return values.space();
    }

    @Override
    public DenseVector toRead() {
        passage().reading(dat);
        return values;
    }

    @Override
    public void copyFrom(HostVector source) {
        values.numbering().requireCurrent();
        long hash = source.length();
        for (int i = 0; i < source.length(); i++) {
            hash = 31 * hash + Double.hashCode(source.get(i));
        }
        passage().writing(dat, true, hash);
        values.copyFrom(source);
    }

    @Override
    public void copyTo(HostVector target) {
        toRead().copyTo(target);
    }

    @Override
    public Numbering numbering() {
        throw refused("work with a vector");
    }

    @Override
    public void bind(Numbering numbering) {
        throw refused("another numbering");
    }

    @Override
    public DenseVector part(int from, int count) {
        throw refused("a part of a vector");
    }

    @Override
    public DenseVector view(Numbering bound) {
        throw refused("a view of a vector");
    }

    @Override
    public boolean overlaps(DenseVector other) {
        return values.overlaps(other instanceof CheckpointedVector seen ? seen.values : other);
    }

    /** Does nothing: the dat has the values. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "vector of " + dat;
    }
}
