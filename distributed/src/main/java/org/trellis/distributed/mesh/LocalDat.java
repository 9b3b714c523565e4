package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.RankedDat;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.Layout;

/** A rank's values of a dat, and what it knows of how up to date those of other ranks' elements are. */
final class LocalDat implements RankedDat {
    private final LocalSet set;
    private final Dat dat;
    private final Communicator communicator;
    private final Freshness freshness = new Freshness();
    /** The dats of whose owned values the program has vectors. */
    private final List<LocalDat> watched;

    LocalDat(LocalSet set, Dat dat, Communicator communicator, List<LocalDat> watched) {
        this.watched = watched;
        this.set = set;
        this.dat = dat;
        this.communicator = communicator;
    }

    Dat dat() {
        return dat;
    }

    LocalSet set() {
        return set;
    }

    boolean has(HaloKey key) {
        return set.replicated() || freshness.has(key);
    }

    /** Returns what is up to date, as it changes. */
    Freshness freshness() {
        return freshness;
    }

    void brought(HaloKey key) {
        freshness.brought(key);
    }

    /** Notes that a loop has written the dat, and how far the result is right. */
    void written(int level) {
        freshness.written(level);
    }

    private void writtenEverywhere() {
        written(Freshness.ALL);
    }

    @Override
    public double get(int element, int component) {
        int place = set.place(element);
        if (set.replicated()) {
            return dat.get(place, component);
        }
        // The bits themselves: a sum of numbers would lose the sign of zero.
        boolean own = place != LocalSet.ABSENT && place < set.parts().owned();
        long[] bits = {own ? Double.doubleToRawLongBits(dat.get(place, component)) : 0};
        communicator.allReduce(Reduction.SUM, bits);
        return Double.longBitsToDouble(bits[0]);
    }

    @Override
    public void set(int element, int component, double value) {
        int place = set.place(element);
        if (place != LocalSet.ABSENT) {
            dat.set(place, component, value);
        }
    }

    @Override
    public void setAll(double[] values) {
        int components = dat.components();
        double[] own = new double[set.parts().total() * components];
        for (int place = 0; place < set.parts().total(); place++) {
            System.arraycopy(values, set.user(place) * components, own, place * components, components);
        }
        setHeld(own);
    }

    /** Sets the values of all elements that this rank has, in its own numbering. */
    void setHeld(double[] values) {
        dat.setAll(values);
        writtenEverywhere();
    }

    @Override
    public void fill(double value) {
        dat.fill(value);
        writtenEverywhere();
    }

    /** Returns the values of owned elements. */
    double[] owned() {
        return Arrays.copyOf(dat.toArray(), set.parts().owned() * dat.components());
    }

    @Override
    public double[] toArray() {
        int components = dat.components();
        double[] own = dat.toArray();
        if (set.replicated()) {
            return own;
        }
        int owned = set.parts().owned();
        ByteBuffer message = ByteBuffer.allocate(Math.toIntExact(
                owned * ((long) Integer.BYTES + (long) components * bytes()))).order(ByteOrder.nativeOrder());
        for (int place = 0; place < owned; place++) {
            message.putInt(set.user(place));
            for (int c = 0; c < components; c++) {
                put(message, own[place * components + c]);
            }
        }
        byte[][] messages = new byte[communicator.size()][];
        Arrays.fill(messages, message.array());
        double[] all = new double[set.whole().size() * components];
        for (byte[] from : communicator.exchange(messages)) {
            ByteBuffer part = ByteBuffer.wrap(from).order(ByteOrder.nativeOrder());
            while (part.hasRemaining()) {
                int at = part.getInt() * components;
                for (int c = 0; c < components; c++) {
                    all[at + c] = take(part);
                }
            }
        }
        return all;
    }

    private int bytes() {
        return dat.type().bytes();
    }

    private void put(ByteBuffer message, double value) {
        if (dat.type() == ScalarType.F64) {
            message.putDouble(value);
        } else if (dat.type() == ScalarType.F32) {
            message.putFloat((float) value);
        } else {
            message.putInt((int) value);
        }
    }

    private double take(ByteBuffer message) {
        return switch (dat.type()) {
            case F64 -> message.getDouble();
            case F32 -> message.getFloat();
            case INT -> message.getInt();
        };
    }

    @Override
    public void layout(Layout wanted) {
        dat.layout(wanted);
    }

    @Override
    public Dat local() {
        return dat;
    }

    @Override
    public DenseVector ownedVector() {
        return dat.vector().part(0, set.parts().owned() * dat.components());
    }

    @Override
    public void watchOwned() {
        if (!watched.contains(this)) {
            watched.add(this);
        }
        overwritten();
    }

    @Override
    public void overwritten() {
        written(0);
    }

    @Override
    public int[] users() {
        return set.users();
    }

    @Override
    public int ownedElements() {
        return set.parts().owned();
    }

    @Override
    public int validity() {
        return freshness.valid();
    }

    @Override
    public void restored(int validity) {
        written(validity);
    }

    @Override
    public void close() {
        watched.remove(this);
        dat.close();
    }

    @Override
    public String toString() {
        return dat.toString();
    }
}
