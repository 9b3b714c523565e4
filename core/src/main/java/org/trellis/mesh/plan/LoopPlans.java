package org.trellis.mesh.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.LoopStatistics;

/**
 * The plans of a mesh's loops, kept by the mesh: loops over one set that add through the same maps and run by the same
 * scheme and block size share a plan.
 */
public final class LoopPlans {
    private static final Set<LoopScheme> WITHOUT_COLOURS =
            EnumSet.of(LoopScheme.IN_ORDER, LoopScheme.TEMPORARY, LoopScheme.RECOMPUTE, LoopScheme.ATOMICS);

    private LoopPlans() {}

    /** What a plan depends on. */
    private record PlanKey(MeshSet set, LoopScheme scheme, int blockSize, List<Entry> entries) {}

    /** A map entry that a loop adds through. */
    private record Entry(MeshMap map, int entry, boolean direct) {}

    /** What the transpose of a column depends on. */
    private record InverseKey(int[] table) {
        @Override
        public boolean equals(Object other) {
            return other instanceof InverseKey that && that.table == table;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(table);
        }
    }

    /**
     * Returns the plan of a loop, makes it if need be, and checks a new one if the mesh's options ask for it.
     *
     * @param loop       the loop
     * @param parameters how it is run; {@link #objection} has none
     * @return the plan
     */
    public static LoopPlan of(LoopDeclaration loop, LoopParameters parameters) {
        return of(loop, parameters.scheme(), parameters.blockSize());
    }

    /**
     * Returns the plan of a loop by another scheme than its own.
     *
     * @param loop      the loop
     * @param scheme    the scheme
     * @param blockSize the block size; 0 for the blocks of the set
     * @return the plan
     */
    public static LoopPlan of(LoopDeclaration loop, LoopScheme scheme, int blockSize) {
        List<Entry> entries = new ArrayList<>();
        if (!WITHOUT_COLOURS.contains(scheme)) {
            for (int a = 0; a < loop.arity(); a++) {
                if (loop.incrementsIndirectly(a)) {
                    entries.add(new Entry(loop.map(a), loop.entry(a), false));
                } else if (loop.access(a) == Access.INCREMENT) {
                    entries.add(new Entry(null, 0, true));
                }
            }
        }
        PlanKey key = new PlanKey(loop.set(), scheme, blockSize, List.copyOf(entries));
        return loop.set().mesh().derived(key, LoopPlan.class, () -> make(loop, scheme, blockSize));
    }

    private static LoopPlan make(LoopDeclaration loop, LoopScheme scheme, int blockSize) {
        int[] blocks =
                blockSize == 0
                        ? loop.set().blockOffsets()
                        : PlanBuilder.uniformBlocks(loop.set().withRows(), blockSize);
        if (loop.set().inParts()) {
            blocks = cutAtParts(blocks, loop.set());
        }
        Conflicts conflicts = Conflicts.of(loop);
        LoopPlan plan = PlanBuilder.plan(scheme, conflicts, blocks);
        if (loop.set().mesh().options().checkPlans()) {
            PlanChecker.check(plan, conflicts);
        }
        return plan;
    }

    /** Cuts blocks where a part of the set ends, so that a part consists of whole blocks. */
    private static int[] cutAtParts(int[] blocks, MeshSet set) {
        return IntStream.concat(Arrays.stream(blocks), Arrays.stream(set.ends())).filter(end -> end <= set.withRows())
                .sorted().distinct().toArray();
    }

    /**
     * Returns where each target of a table is reached from, for gathering.
     *
     * @param set     a set of the mesh that keeps the result
     * @param table   the target at each position; the array identifies the table
     * @param targets the number of targets
     * @return the inverse
     */
    public static InverseMap inverse(MeshSet set, int[] table, int targets) {
        return set.mesh().derived(new InverseKey(table), InverseMap.class, () -> InverseMap.of(table, targets));
    }

    /**
     * Says why a loop cannot be run with given parameters on any backend.
     *
     * @param loop       the loop
     * @param parameters the parameters
     * @return the reason and what would work, or empty if there is none
     */
    public static Optional<String> objection(LoopDeclaration loop, LoopParameters parameters) {
        if (parameters.blockSize() == 0 && !loop.set().hasBlocks()) {
            return Optional
                    .of("block size is 0, but " + loop.set() + " has no blocks of its own; expected a block size "
                            + "of at least 1, or MeshSet.blocks before");
        }
        boolean adds = loop.incrementsIndirectly();
        if (!adds && parameters.scheme() != LoopScheme.IN_ORDER) {
            return Optional.of("scheme is " + parameters.scheme().label()
                    + ", expected in-order for a loop that does not add through maps");
        }
        if (parameters.fission() && !repeats(loop)) {
            return Optional.of("fission of a loop whose kernel declares no increment that repeats another, expected "
                    + "@Increment(repeats = ...)");
        }
        LoopScheme scheme = parameters.scheme();
        if (scheme != LoopScheme.OWNER_COMPUTE && scheme != LoopScheme.RECOMPUTE) {
            return Optional.empty();
        }
        return parameters.fission()
                ? Optional.of("fission under " + scheme.label() + ", expected another scheme")
                : repetitionObjection(loop, scheme);
    }

    private static boolean repeats(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.signature(a).repeats() >= 0 && loop.incrementsIndirectly(a)
                    && loop.incrementsIndirectly(loop.signature(a).repeats())) {
                return true;
            }
        }
        return false;
    }

    /** Says why a loop's elements cannot run more than once. */
    private static Optional<String> repetitionObjection(LoopDeclaration loop, LoopScheme scheme) {
        MeshSet owner = null;
        for (int a = 0; a < loop.arity(); a++) {
            if (!loop.access(a).writes()) {
                continue;
            }
            if (!loop.incrementsIndirectly(a)) {
                return Optional.of(scheme.label() + " runs some elements more than once, but " + loop.where(a)
                        + " has access " + loop.access(a) + "; expected increments through maps only");
            }
            MeshSet to = loop.map(a).to();
            if (owner != null && owner != to) {
                return Optional.of(scheme.label() + " of increments to set '" + owner.name() + "' and set '" + to.name()
                        + "', expected one set");
            }
            owner = to;
        }
        return Optional.empty();
    }

    /**
     * Describes a plan as one of a loop. Costs a pass over the maps.
     *
     * @param loop the loop
     * @param plan its plan
     * @return figures for reports
     */
    public static LoopStatistics statistics(LoopDeclaration loop, LoopPlan plan) {
        return new PlanFigures(loop, plan).statistics();
    }
}
