package org.trellis.mesh;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.loop.Layout;

/** The values of a dat that are divided over ranks, each of which has its share. */
final class DividedDat implements DatHandle.Held {
    private final Dat dat;
    private final RankedDat share;

    DividedDat(Dat dat, RankedDat share) {
        this.dat = dat;
        this.share = share;
    }

    @Override
    public Optional<RankedDat> onRank() {
        return Optional.of(share);
    }

    @Override
    public boolean isIn(DatStorage memory) {
        return share.local().storage().equals(memory);
    }

    @Override
    public boolean isShownBy(DenseVector vector) {
        return share.local().storage().vector().filter(own -> own.overlaps(vector)).isPresent();
    }

    @Override
    public double get(int element, int component) {
        return share.get(element, component);
    }

    @Override
    public void set(int element, int component, double value) {
        share.set(element, component, value);
    }

    @Override
    public void setAll(double... values) {
        share.setAll(values);
    }

    @Override
    public void setAll(int... values) {
        share.setAll(Arrays.stream(values).asDoubleStream().toArray());
    }

    @Override
    public void fill(double value) {
        share.fill(value);
    }

    @Override
    public double[] toArray() {
        return share.toArray();
    }

    @Override
    public void layout(Layout wanted) {
        share.layout(wanted);
    }

    @Override
    public DatStorage storage() {
        throw new IllegalStateException(dat + " is divided over ranks, so that its memory is not in one piece; "
                + "expected its values to be taken and given by toArray, get, setAll and set, or vector() for "
                + "those that this rank owns");
    }

    @Override
    public DatStorage replace(DatStorage next) {
        return storage(); // which refuses it
    }

    @Override
    public DenseVector view() {
        if (!dat.type().real()) {
            throw dat.wholeNumbers();
        }
        if (dat.set().isReplicated()) {
            throw new IllegalStateException(
                    dat + ", of which every rank has all, asked for a vector, whose sums would "
                            + "count each element on each rank; expected a dat on a set that is divided");
        }
        if (dat.components() > 1 && dat.layout() == Layout.SOA) {
            throw new IllegalStateException(dat + " over ranks asked for a vector with its components apart, so that "
                    + "those of owned elements are not in one piece; expected layout " + Layout.AOS);
        }
        return share.ownedVector().view(new SetNumbering(dat, share.local().storage()));
    }

    @Override
    public void watch() {
        share.watchOwned();
    }

    @Override
    public void overwriting() {
        share.overwritten();
    }

    @Override
    public void release() {
        share.close();
    }
}
