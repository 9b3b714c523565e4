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
import org.trellis.mesh.loop.Layout;

/**
 * Values of a dat on their way into a file. The writer takes them in pieces, from the first on, from where they lie; a
 * copier may copy others meanwhile, from the last on; when the program is about to change them, what has been neither
 * taken nor copied is copied first.
 */
final class SavedDat {
    /** Values of a piece, for which the program may have to wait. */
    private static final int PIECE = 1 << 12;
    /** Values that one core copies. */
    private static final int VALUES_OF_A_CORE = 1 << 19;

    private final Dat dat;
    private final String name;
    private final CopyBuffer room;
    private final int owned;
    private final int[] users;
    private final int validity;
    /** How the values lie: the program may change the layout of the dat while they are written. */
    private final Layout layout;
    private final ScalarType type;
    private final int length;
    /** What the writer takes: the program's own array while {@link #live}. */
    private Object values;
    /** Where a copy is, or is to be; null if there is none. */
    private HostStorage copy;
    private boolean live;
    private int taken;
    /** Values from here on have been copied. */
    private int copied;
    /** The program waits: no thread is to begin with another piece. */
    private volatile boolean wanted;

    /**
     * Takes hold of the values. Those of a device are brought to the host.
     *
     * @param dat  a dat of the mesh
     * @param name its name in files
     * @param room memory for a copy of its values
     */
    SavedDat(Dat dat, String name, CopyBuffer room) {
        this.dat = dat;
        this.name = name;
        this.room = room;
        RankedDat ranked = dat.onRank().orElse(null);
        this.owned = ranked == null ? dat.set().size() : ranked.ownedElements();
        this.users = users(dat, ranked);
        this.validity = ranked == null ? Integer.MAX_VALUE : ranked.validity();
        this.layout = dat.layout();
        DatStorage storage = storage(dat);
        this.type = storage.type();
        this.length = storage.length();
        this.copied = length;
        if (storage instanceof HostStorage host) {
            this.values = host.array();
            this.live = true;
        } else {
            this.copy = room.take(type, length);
            storage.copyTo(copy);
            this.values = copy.array();
        }
    }

    private static DatStorage storage(Dat dat) {
        return dat.onRank().map(RankedDat::local).orElse(dat).storage();
    }

    /** Makes room for the values of a dat. Called by the program, whose data this looks at; the room is made later. */
    static Runnable preparation(Dat dat, CopyBuffer room) {
        ScalarType type = storage(dat).type();
        int length = storage(dat).length();
        return () -> room.prepare(type, length);
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

    Dat dat() {
        return dat;
    }

    long bytes() {
        return (long) length * type.bytes();
    }

    /** Copies what the writer has not taken, a piece after the other, so that the program need not wait for it. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    void copyAhead() {
        if (length < VALUES_OF_A_CORE || !needsCopy()) {
            return;
        }
        boolean more = true;
        while (more && !wanted) {
            synchronized (this) {
                int from = Math.max(taken, copied - PIECE);
                if (live && from < copied) {
                    System.arraycopy(values, from, copy.array(), from, copied - from);
                    copied = from;
                }
                more = live && taken < copied;
            }
        }
    }

    private boolean needsCopy() {
        synchronized (this) {
            boolean needs = live && taken < copied;
            copy = needs && copy == null ? room.take(type, length) : copy;
            return needs;
        }
    }

    /** Copies what has not been copied or written; one core alone does not reach the memory's bandwidth. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    private void copyRest(Object target) {
        int first = taken;
        int end = Math.max(first, copied); // the writer may have gone on into what is copied
        int pieces = Math.ceilDiv(end - first, VALUES_OF_A_CORE);
        if (pieces <= 1) {
            System.arraycopy(values, first, target, first, end - first);
            return;
        }
        IntStream.range(0, pieces).parallel().forEach(piece -> {
            int from = first + piece * VALUES_OF_A_CORE;
            System.arraycopy(values, from, target, from, Math.min(VALUES_OF_A_CORE, end - from));
        });
    }

    /** The program is about to change the values. */
    void detach() {
        wanted = true;
        synchronized (this) {
            if (live && taken < length) {
                copy = copy == null ? room.take(type, length) : copy;
                copyRest(copy.array());
                values = copy.array();
            }
            live = false;
        }
    }

    /** Writes what a reader needs to know, and the values. */
    void write(DataOutput out) throws IOException {
        out.writeUTF(name);
        out.writeUTF(dat.set().name());
        out.writeInt(dat.components());
        out.writeByte(Codes.of(type));
        out.writeByte(Codes.of(layout));
        out.writeInt(validity);
        out.writeInt(owned);
        out.writeInt(length / dat.components());
        out.writeBoolean(users != null);
        if (users != null) {
            for (int user : users) {
                out.writeInt(user);
            }
        }
        try {
            ByteBuffer buffer = ByteBuffer.allocate(PIECE * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int from = 0; from < length; from += PIECE) {
                int count = Math.min(PIECE, length - from);
                take(buffer, from, count);
                out.write(buffer.array(), 0, count * type.bytes());
            }
        } finally {
            release();
        }
    }

    /** The other side takes nothing any more. */
    private void release() {
        synchronized (this) {
            taken = length;
            live = false;
            values = null;
            if (copy != null) {
                room.give(copy);
                copy = null;
            }
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
