package org.trellis.examples.rotor.mesh;

import java.util.EnumSet;
import java.util.Set;

/** What a face on the boundary is. */
public enum Patch {
    /** A wall without friction, or a plane of symmetry. */
    SLIP,
    /** A wall that the fluid sticks to. */
    NO_SLIP,
    /** Where the fluid comes in with given total pressure and temperature. */
    INLET,
    /** Where it leaves at a given pressure. */
    OUTLET,
    /** Where the state outside is given. */
    FAR,
    /** One of two sides that are the same place; no boundary of the flow. */
    PERIODIC;

    /**
     * Returns all kinds.
     *
     * @return a set of them
     */
    static Set<Patch> all() {
        return EnumSet.allOf(Patch.class);
    }
}
