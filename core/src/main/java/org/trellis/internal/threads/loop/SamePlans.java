package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/**
 * Finds parameters with which loops that have been put together give the bits that each gives by itself. Only loops
 * that add up real numbers mind: through maps the order of elements counts, in a sum where blocks begin.
 */
final class SamePlans {
    private SamePlans() {}

    static Optional<LoopParameters> parameters(List<LoopDeclaration> loops, List<LoopParameters> alone,
            LoopDeclaration whole) {
        List<Integer> minding = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            LoopScheme scheme = alone.get(i).scheme();
            if (alone.get(i).fission() || scheme == LoopScheme.TEMPORARY || scheme == LoopScheme.OWNER_COMPUTE) {
                return Optional.empty();
            }
            if (addsThroughMaps(loops.get(i)) || sums(loops.get(i))) {
                minding.add(i);
            }
        }
        if (minding.isEmpty()) {
            // Whole numbers that are added through maps give the same sums in any order.
            int first = 0;
            while (first + 1 < loops.size() && !loops.get(first).incrementsIndirectly()) {
                first++;
            }
            return Optional.of(alone.get(first));
        }
        return minding.stream().map(alone::get).distinct()
                .filter(candidate -> LoopPlans.objection(whole, candidate).isEmpty())
                .filter(candidate -> minding.stream()
                        .allMatch(i -> agrees(loops.get(i), alone.get(i), whole, candidate)))
                .findFirst();
    }

    private static boolean isReal(LoopDeclaration loop, int argument) {
        return loop.signature(argument).type() == ArgumentSignature.Type.REAL;
    }

    private static boolean addsThroughMaps(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a) && isReal(loop, a)) {
                return true;
            }
        }
        return false;
    }

    private static boolean sums(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a) == Access.SUM && isReal(loop, a)) {
                return true;
            }
        }
        return false;
    }

    private static boolean agrees(LoopDeclaration loop, LoopParameters alone, LoopDeclaration whole,
            LoopParameters candidate) {
        boolean inOrder = alone.scheme() == LoopScheme.IN_ORDER && candidate.scheme() == LoopScheme.IN_ORDER;
        LoopPlan own = LoopPlans.of(loop, alone);
        LoopPlan common = LoopPlans.of(whole, candidate);
        boolean sameBlocks = Arrays.equals(own.blockOffsets(), common.blockOffsets())
                && Arrays.equals(own.order(), common.order());
        boolean sameOrder = inOrder || (sameBlocks && Arrays.equals(own.blockMap(), common.blockMap())
                && Arrays.equals(own.colourOffsets(), common.colourOffsets()));
        return (sameBlocks || !sums(loop)) && (sameOrder || !addsThroughMaps(loop));
    }
}
