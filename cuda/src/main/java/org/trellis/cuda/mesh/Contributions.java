package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.List;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;

/**
 * The contributions of a loop's increments where they are stored before they are added: one array for each increment,
 * or with fission for each that does not repeat another (Bertolli et al. 2012, section 4.1). An array has the
 * contributions of all elements to entry 0, then those to entry 1 and so on; of a map of variable arity, row after row.
 */
final class Contributions {
    private final LoopDeclaration loop;
    private final int[] base;
    private final int[] sign;
    private final boolean transposed;

    Contributions(LoopDeclaration loop, boolean fission, boolean transposed) {
        this.loop = loop;
        this.transposed = transposed;
        base = new int[loop.arity()];
        sign = new int[loop.arity()];
        for (int a = 0; a < base.length; a++) {
            base[a] = a;
            sign[a] = 1;
            int other = loop.signature(a).repeats();
            if (fission && loop.incrementsIndirectly(a) && other >= 0 && fits(a, other)) {
                base[a] = other;
                sign[a] = loop.signature(a).sign();
            }
        }
    }

    private boolean fits(int a, int other) {
        return loop.incrementsIndirectly(other) && loop.signature(other).repeats() < 0
                && loop.signature(other).entries() == loop.signature(a).entries()
                && loop.signature(other).components() == loop.signature(a).components()
                && loop.dat(other).type() == loop.dat(a).type();
    }

    /** Returns the argument whose array has the contributions of an argument. */
    int base(int a) {
        return base[a];
    }

    /** Says whether the components of a contribution lie apart. */
    boolean transposed(int a) {
        return transposed && loop.signature(a).components() > 1;
    }

    /** Returns the number of contributions in the array of an argument. */
    long places(int a) {
        return length(a) / loop.signature(a).components();
    }

    /** Returns the factor, 1 or −1. */
    int sign(int a) {
        return sign[a];
    }

    /** Returns the arguments that have arrays. */
    List<Integer> stored() {
        List<Integer> stored = new ArrayList<>();
        for (int a = 0; a < base.length; a++) {
            if (loop.incrementsIndirectly(a) && base[a] == a) {
                stored.add(a);
            }
        }
        return stored;
    }

    /** Returns the number of values of an argument's array. */
    long length(int a) {
        MeshMap map = loop.map(a);
        long places = map.arity() == MeshMap.VARIABLE
                ? map.entries().length
                : (long) loop.set().size() * loop.signature(a).entries();
        return places * loop.signature(a).components();
    }
}
