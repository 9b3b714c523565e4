package org.trellis.mesh.checkpoint;

import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.trellis.mesh.Dat;
import org.trellis.mesh.RankedDat;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;

/**
 * Values of a dat on their way into a file. The writer takes them in pieces from where they lie; when the program is
 * about to change them, what has not been taken is copied first.
 */
final class SavedDat {
    /** Values of a piece. */
    private static final int PIECE = 1 << 14;
    /** Values that one core copies. */
    private static final int MANY = 1 << 19;

    private final Dat dat;
    private final int owned;
    private final int[] users;
    private final int validity;
    private final ScalarType type;
    private final int length;
    private Object values;
    private Object spare;
    private boolean live;
    private int taken;
    private int copied;

    /**
     * Takes hold of the values.
     *
     * @param dat    a dat of the mesh
     * @param before what was saved of the dat before, whose memory is used again; or null
     */
    SavedDat(Dat dat, SavedDat before) {
        this.dat = dat;
        RankedDat ranked = dat.onRank().orElse(null);
        Dat local = ranked == null ? dat : ranked.local();
        this.owned = ranked == null ? dat.set().size() : ranked.ownedElements();
        this.users = users(dat, ranked);
        this.validity = ranked == null ? Integer.MAX_VALUE : ranked.validity();
        DatStorage storage = local.storage();
        this.type = storage.type();
        this.length = storage.length();
        HostStorage host = storage.toHost();
        this.values = host.array();
        this.live = host.equals(storage);
        this.spare = before == null || before.type != type || before.length != length ? null : before.release();
    }

    /** Returns the user's number of each element that is here; null if all are, in the user's order. */
    static int[] users(Dat dat, RankedDat ranked) {
        if (ranked != null) {
            return ranked.users();
        }
        if (dat.set().inUserOrder()) {
            return null;
        }
        int[] users = new int[dat.set().size()];
        for (int user = 0; user < users.length; user++) {
            users[dat.set().current(user)] = user;
        }
        return users;
    }

    private Object release() {
        synchronized (this) {
            Object free = live ? spare : values;
            return taken == length ? free : null;
        }
    }

    Dat dat() {
        return dat;
    }

    long bytes() {
        return (long) length * type.bytes();
    }

    /** Returns where a copy goes. */
    private Object room() {
        Object room = spare == null ? HostStorage.zeros(type, length).array() : spare;
        spare = room;
        return room;
    }

    /** Copies what the writer has not taken, a piece after the other, so that the program need not wait for it. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    void copyAhead() {
        if (length < MANY) {
            return;
        }
        synchronized (this) {
            if (live) {
                room();
            }
        }
        boolean more = true;
        while (more) {
            synchronized (this) {
                copied = Math.max(copied, taken);
                int now = Math.min(PIECE, length - copied);
                if (live) {
                    System.arraycopy(values, copied, spare, copied, now);
                    copied += now;
                }
                more = live && copied < length;
            }
        }
    }

    /** Copies what nobody has copied or written; one core alone does not reach the memory's bandwidth. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    private void copyRest(Object target) {
        int first = Math.max(copied, taken);
        int pieces = Math.ceilDiv(length - first, MANY);
        if (pieces == 1) {
            System.arraycopy(values, first, target, first, length - first);
            return;
        }
        IntStream.range(0, pieces).parallel().forEach(piece -> {
            int from = first + piece * MANY;
            System.arraycopy(values, from, target, from, Math.min(MANY, length - from));
        });
    }

    /** The program is about to change the values. */
    void detach() {
        synchronized (this) {
            if (live && taken < length) {
                Object copy = room();
                copyRest(copy);
                values = copy;
                spare = null;
                live = false;
            }
        }
    }

    /** Writes what a reader needs to know, and the values. */
    void write(DataOutput out) throws IOException {
        out.writeUTF(dat.name());
        out.writeUTF(dat.set().name());
        out.writeInt(dat.components());
        out.writeByte(Codes.of(type));
        out.writeByte(Codes.of(dat.layout()));
        out.writeInt(validity);
        out.writeInt(owned);
        out.writeInt(length / dat.components());
        out.writeBoolean(users != null);
        if (users != null) {
            for (int user : users) {
                out.writeInt(user);
            }
        }
        ByteBuffer buffer = ByteBuffer.allocate(PIECE * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int from = 0; from < length; from += PIECE) {
            int count = Math.min(PIECE, length - from);
            take(buffer, from, count);
            out.write(buffer.array(), 0, count * type.bytes());
        }
        synchronized (this) {
            taken = length;
        }
    }

    private void take(ByteBuffer buffer, int from, int count) {
        synchronized (this) {
            switch (type) {
                case F64 -> buffer.asDoubleBuffer().put((double[]) values, from, count);
                case F32 -> buffer.asFloatBuffer().put((float[]) values, from, count);
                case INT -> buffer.asIntBuffer().put((int[]) values, from, count);
            }
            taken = from + count;
        }
    }
}
