package org.trellis.mesh;

import java.util.List;
import org.trellis.common.Checks;
import org.trellis.memory.BoundVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.Numbering;

/** Which vectors a dat can be made on. */
final class VectorDats {
    private VectorDats() {}

    /** Refuses a vector that does not fit. */
    static void check(String name, MeshSet set, int components, DenseVector vector, List<Dat> dats) {
        String what = "dat '" + name + "' on a vector";
        Checks.length("length of the vector of dat '" + name + "' of " + components + " components on " + set,
                vector.length(), (long) set.size() * components);
        if (!vector.space().equals(set.mesh().backend().device().space())) {
            throw new IllegalArgumentException(what + " that lives on " + vector.space() + ", expected "
                    + set.mesh().backend().device().space());
        }
        if (!(vector instanceof BoundVector bound) || !bound.isWhole()) {
            throw new IllegalArgumentException(what + " that is a part or a view of another, " + vector
                    + ", expected one that owns its memory, so that all of it can follow the set's numbering");
        }
        for (Dat dat : dats) {
            if (dat.shares(vector)) {
                throw new IllegalArgumentException(what + " on which " + dat + " is already, expected another vector");
            }
        }
        Numbering current = set.numbering(components);
        if (!current.fits(vector.numbering())) {
            throw new IllegalArgumentException(what + " bound to " + vector.numbering() + ", expected one bound to "
                    + current + "; a vector bound to no set fits while the set is in the user's order");
        }
    }
}
