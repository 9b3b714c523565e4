package org.trellis.mesh;

import org.trellis.common.Permutation;
import org.trellis.memory.DenseVector;
import org.trellis.memory.Numbering;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.loop.Layout;

/** The values of a dat in one piece of memory, in the current order and layout. */
sealed class WholeDat implements DatHandle.Held {
    private final Dat dat;
    private DatStorage storage;

    /** Takes over memory for all values. */
    WholeDat(Dat dat, DatStorage storage) {
        this.dat = dat;
        this.storage = storage;
    }

    /** Values in the memory of a vector of the program, which follows numbering and layout. */
    static WholeDat on(DenseVector vector, Dat dat, DatStorage storage) {
        WholeDat made = new OnVector(dat, storage, vector);
        made.follow();
        return made;
    }

    final Dat dat() {
        return dat;
    }

    @Override
    public final double[] undivided() {
        return toArray();
    }

    @Override
    public final boolean isIn(DatStorage memory) {
        return storage.equals(memory);
    }

    @Override
    public final boolean isShownBy(DenseVector vector) {
        return storage.vector().filter(own -> own.overlaps(vector)).isPresent();
    }

    private int place(int element, int component) {
        return dat.place(dat.set().current(element), component);
    }

    private HostStorage zeros() {
        return HostStorage.zeros(dat.type(), storage.length());
    }

    @Override
    public final double get(int element, int component) {
        return storage.get(place(element, component));
    }

    @Override
    public final void set(int element, int component, double value) {
        storage.set(place(element, component), value);
    }

    @Override
    public final void setAll(double... values) {
        HostStorage fresh = zeros();
        dat.place(fresh, values, SetShape.of(dat.set()));
        storage.copyFrom(fresh);
    }

    @Override
    public final void setAll(int... values) {
        HostStorage fresh = zeros();
        for (int i = 0; i < values.length; i++) {
            fresh.set(place(i / dat.components(), i % dat.components()), values[i]);
        }
        storage.copyFrom(fresh);
    }

    @Override
    public final void fill(double value) {
        HostStorage fresh = zeros();
        DatValues.fill(value, fresh);
        storage.copyFrom(fresh);
    }

    @Override
    public final double[] toArray() {
        return new DatValues(SetShape.of(dat.set()), dat.components(), dat.layout()).take(storage.toHost());
    }

    @Override
    public final void layout(Layout wanted) {
        HostStorage old = storage.toHost();
        HostStorage moved = zeros();
        int size = dat.set().size();
        for (int element = 0; element < size; element++) {
            for (int c = 0; c < dat.components(); c++) {
                moved.set(dat.place(wanted, size, element, c), old.get(dat.place(element, c)));
            }
        }
        storage.copyFrom(moved);
    }

    @Override
    public final void renumber(Permutation permutation) {
        HostStorage old = storage.toHost();
        HostStorage moved = zeros();
        for (int element = 0; element < dat.set().size(); element++) {
            int next = permutation.newIndex(element);
            for (int c = 0; c < dat.components(); c++) {
                moved.set(dat.place(next, c), old.get(dat.place(element, c)));
            }
        }
        storage.copyFrom(moved);
    }

    @Override
    public final DatStorage storage() {
        return storage;
    }

    @Override
    public final DatStorage replace(DatStorage next) {
        DatStorage old = storage;
        storage = next;
        return old;
    }

    @Override
    public final DenseVector view() {
        return storage.vector().orElseThrow(dat::wholeNumbers).view(new SetNumbering(dat, storage));
    }

    @Override
    public void release() {
        storage.close();
    }

    /** The values of a vector of the program. */
    private static final class OnVector extends WholeDat {
        private final DenseVector source;
        private boolean given;

        OnVector(Dat dat, DatStorage storage, DenseVector source) {
            super(dat, storage);
            this.source = source;
        }

        @Override
        public boolean isOnVector() {
            return !given;
        }

        @Override
        public void follow() {
            source.bind(new SetNumbering(dat(), storage()));
        }

        /** Gives the vector its values in the user's order, bound to nothing. */
        @Override
        public void release() {
            if (!given) {
                given = true;
                source.bind(Numbering.NONE);
                if (!dat().set().inUserOrder() || (dat().components() > 1 && dat().layout() == Layout.SOA)) {
                    HostStorage moved = HostStorage.zeros(dat().type(), storage().length());
                    double[] values = toArray();
                    for (int i = 0; i < values.length; i++) {
                        moved.set(i, values[i]);
                    }
                    storage().copyFrom(moved);
                }
            }
            super.release();
        }
    }
}
