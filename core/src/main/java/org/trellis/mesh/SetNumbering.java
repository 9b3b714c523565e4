package org.trellis.mesh;

import org.trellis.memory.Numbering;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.loop.Layout;

/**
 * The numbering of a set, or of a dat on it, at one moment. Vectors of different dats on one set fit each other; each
 * is current as long as its own dat keeps its memory and layout.
 */
final class SetNumbering implements Numbering {
    private final MeshSet set;
    private final int version;
    private final int components;
    private final boolean sideBySide;
    private final Dat dat;
    private final DatStorage storage;
    private final Layout layout;

    /** The numbering of vectors with the components of an element side by side. */
    SetNumbering(MeshSet set, int components) {
        this.set = set;
        this.version = set.numberingVersion();
        this.components = components;
        this.sideBySide = true;
        this.dat = null;
        this.storage = null;
        this.layout = null;
    }

    /** The numbering of a dat's values. */
    SetNumbering(Dat dat, DatStorage storage) {
        this.set = dat.set();
        this.version = set.numberingVersion();
        this.components = dat.components();
        this.layout = dat.layout();
        this.sideBySide = components == 1 || layout == Layout.AOS;
        this.dat = dat;
        this.storage = storage;
    }

    @Override
    public boolean isCurrent() {
        return set.numberingVersion() == version && (dat == null || keepsItsValues());
    }

    private boolean keepsItsValues() {
        return dat.keeps(storage) && (components == 1 || dat.layout() == layout);
    }

    @Override
    public boolean isUserOrder() {
        // What a rank owns is in no other order than its own, which is that of all vectors there.
        return sideBySide && (set.inUserOrder() || set.mesh().division().divided());
    }

    @Override
    public String whyStale() {
        if (set.numberingVersion() != version) {
            return "what was bound to " + this + " is used after the set was renumbered or changed, expected a vector "
                    + "taken or bound afterwards; a dat gives one by vector()";
        }
        return "a vector of " + dat + " is used after the dat was closed, its layout or its memory changed, expected "
                + "one taken afterwards by vector()";
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // sets are compared by identity
    public boolean equals(Object other) {
        return other instanceof SetNumbering numbering && set == numbering.set && version == numbering.version
                && components == numbering.components && sideBySide == numbering.sideBySide;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * System.identityHashCode(set) + version) + components;
    }

    @Override
    public String toString() {
        return "set '" + set.name() + "' in its numbering " + version
                + (components == 1 ? "" : ", " + components + " components" + (sideBySide ? "" : " apart"));
    }
}
