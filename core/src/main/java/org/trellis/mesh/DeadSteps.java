package org.trellis.mesh;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trellis.kernel.Access;

/**
 * Finds steps of a chain whose results are never seen: everything that they write is overwritten as a whole by a later
 * step of the chain, and nothing reads it before. At the end of the chain the program may read everything.
 */
final class DeadSteps {
    private DeadSteps() {}

    /** Returns, for each step, whether it can be left out. Goes through the steps from the last to the first, once. */
    static boolean[] of(List<Step> steps) {
        Set<Object> overwritten = new HashSet<>();
        boolean[] dead = new boolean[steps.size()];
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i) instanceof SetStep set) {
                dead[i] = !overwritten.add(set.global());
            } else {
                LoopStep loop = (LoopStep) steps.get(i);
                dead[i] = writesOnly(loop.loop().declaration(), overwritten);
                if (!dead[i]) {
                    note(loop, overwritten);
                }
            }
        }
        return dead;
    }

    private static Object data(LoopDeclaration loop, int a) {
        Dat dat = loop.dat(a);
        return dat == null ? loop.argument(a) : dat;
    }

    /** Says whether a loop writes something, and nothing that is needed. */
    private static boolean writesOnly(LoopDeclaration loop, Set<Object> overwritten) {
        boolean writes = false;
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a).writes()) {
                writes = true;
                if (!overwritten.contains(data(loop, a))) {
                    return false;
                }
            }
        }
        return writes;
    }

    /** Takes over what a loop overwrites, and then what it reads. Scalars never count as overwritten. */
    private static void note(LoopStep step, Set<Object> overwritten) {
        LoopDeclaration loop = step.loop().declaration();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a) == Access.WRITE && loop.argument(a) instanceof Dat dat && step.isWhole()
                    && !loop.set().inParts()) {
                overwritten.add(dat);
            }
        }
        for (int a = 0; a < loop.arity(); a++) {
            boolean whole = loop.access(a) == Access.WRITE && loop.argument(a) instanceof Dat;
            if (!whole && loop.access(a) != Access.WRITE) {
                overwritten.remove(data(loop, a));
            }
        }
    }
}
