package org.trellis.mesh;

import java.util.Objects;
import org.trellis.mesh.device.DatStorage;

/** A second memory of a dat, into which tiles write while others still read the first. */
public final class DatCopy {
    private final Dat dat;
    private DatStorage spare;

    /**
     * Creates a copy.
     *
     * @param dat   the dat
     * @param spare memory of the same type and length
     */
    public DatCopy(Dat dat, DatStorage spare) {
        this.dat = Objects.requireNonNull(dat);
        this.spare = Objects.requireNonNull(spare);
    }

    /**
     * Returns the dat.
     *
     * @return the dat
     */
    public Dat dat() {
        return dat;
    }

    /**
     * Returns the memory that the dat does not use now.
     *
     * @return to be written by the next run
     */
    public DatStorage spare() {
        return spare;
    }

    /** Gives the spare memory to the dat, and keeps the other. */
    void exchange() {
        spare = dat.replace(spare);
    }
}
