package org.trellis.distributed.mesh;

import org.trellis.distributed.communicate.PublishedValues;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;

/**
 * What a rank has of a global of the whole mesh: a global of the rank's mesh that all its loops share. The whole global
 * gets its value from there when it is read; until then loops that read it find it where it is, and the host waits
 * for nothing. So it is where devices combine what loops reduce, and where one rank has everything: the others then get
 * the value from that rank.
 */
final class RankGlobal {
    /** Nanoseconds in which a thread wakes up and comes to where this one is, unless it has other work. */
    private static final long LONGEST_WAIT = 200_000;

    private final Global whole;
    private final Global own;
    private final Runnable fetch = this::fetch;
    private final double[] values;
    /** The rank that has everything, or null. */
    private final SingleOwnerRank sole;
    private final PublishedValues.Slot slot;
    /** How often loops have reduced into it; all ranks count alike. */
    private long version;
    /** The version that has been brought to the others, or that they do not want. */
    private long brought;

    /**
     * Declares the rank's global.
     *
     * @param mesh  the rank's mesh
     * @param whole a global of the whole mesh; a real one unless one rank has everything
     * @param name  a name for the global
     * @param sole  the rank that has everything, or null
     */
    RankGlobal(Mesh mesh, Global whole, String name, SingleOwnerRank sole) {
        this.whole = whole;
        this.values = new double[whole.components()];
        this.own = whole.real() ? mesh.global(name, values) : mesh.intGlobal(name, new int[values.length]);
        this.sole = sole;
        this.slot = sole == null ? null : sole.add(this, values.length);
    }

    Global own() {
        return own;
    }

    /** Says whether the rank's global has a total that has not been read. */
    boolean isNewer() {
        return whole.awaits(fetch);
    }

    /** Notes that the rank's global has, or is going to have, a total. */
    void combined() {
        whole.pending(fetch);
    }

    private void fetch() {
        if (sole != null && !sole.isHere()) {
            slot.read(sole.own(), version, values);
            put(values);
            return;
        }
        if (whole.real()) {
            System.arraycopy(own.doubles(), 0, whole.doubles(), 0, values.length);
        } else {
            System.arraycopy(own.ints(), 0, whole.ints(), 0, values.length);
        }
        if (sole != null) {
            offer();
        }
    }

    private void put(double... found) {
        for (int c = 0; c < found.length; c++) {
            if (whole.real()) {
                whole.doubles()[c] = found[c];
            } else {
                whole.ints()[c] = (int) found[c];
            }
        }
    }

    // One rank has everything.

    /** Gives the rank's global what the program has set, if it has. Called by the rank that has everything. */
    void load() {
        if (!isNewer()) {
            offer();
            for (int c = 0; c < values.length; c++) {
                values[c] = whole.get(c);
            }
            own.set(values);
        }
    }

    /**
     * A loop is going to reduce into it, and what is there cannot be read later. A device is not waited for if the
     * others go on soon without looking, as they do.
     */
    void changing() {
        if (sole.isHere()) {
            if (brought < version && own.isPending()) {
                slot.letPass(version, LONGEST_WAIT);
            }
            offer();
        } else {
            slot.pass(sole.own(), version);
        }
    }

    /** A loop has reduced into it, here or on the rank that has everything. */
    void changed() {
        version++;
        whole.pending(fetch);
    }

    /** Brings the value to the others, if one of them may want it. Called by the rank that has everything. */
    void offer() {
        if (brought < version) {
            if (slot.isWanted(version)) {
                for (int c = 0; c < values.length; c++) {
                    values[c] = own.get(c);
                }
                slot.post(version, values);
            }
            brought = version;
        }
    }
}
