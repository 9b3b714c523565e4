package org.trellis.examples.rotor.mesh;

/** Which cells a lattice is cut into. */
public enum CellMix {
    /** Hexahedra only. */
    HEX,
    /** Each cell of the lattice into two prisms. */
    PRISM,
    /** Each cell of the lattice into twelve tetrahedra about its centre. */
    TET,
    /** A third hexahedra, a third prisms, a third tetrahedra with pyramids where they meet the others. */
    MIXED;

    /**
     * Returns what the cells at one place along the first direction are cut into.
     *
     * @param i     the place
     * @param count the number of places
     * @return another than {@link #MIXED}
     */
    CellMix at(int i, int count) {
        return this != MIXED ? this : 3 * i < count ? HEX : 3 * i < 2 * count ? PRISM : TET;
    }
}
