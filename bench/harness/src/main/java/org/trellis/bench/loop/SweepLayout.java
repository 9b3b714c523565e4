package org.trellis.bench.loop;

import java.util.List;
import java.util.Locale;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;

/** Which layout each dat of an application has. */
public enum SweepLayout {
    /** All arrays of structures. */
    AOS,
    /** All structures of arrays. */
    SOA,
    /** Arrays of structures where a loop reads through a map, so that it finds elements in one piece; others not. */
    MIXED;

    /**
     * Returns the name used on the command line and in files.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }

    /**
     * Changes the layout of all dats of some loops.
     *
     * @param loops the loops of an application
     */
    public void apply(List<ParallelLoop> loops) {
        for (Dat dat : loops.getFirst().declaration().set().mesh().dats()) {
            dat.layout(switch (this) {
                case AOS -> Layout.AOS;
                case SOA -> Layout.SOA;
                case MIXED -> loops.stream().anyMatch(loop -> gathers(loop.declaration(), dat))
                        ? Layout.AOS
                        : Layout.SOA;
            });
        }
    }

    @SuppressWarnings("ReferenceEquality") // a dat is what it is
    private static boolean gathers(LoopDeclaration loop, Dat dat) {
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.dat(a) == dat && loop.map(a) != null && loop.access(a) == Access.READ) {
                return true;
            }
        }
        return false;
    }
}
