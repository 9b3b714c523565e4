package org.trellis.mesh.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;

/** What two elements of a loop must not add to at once: one table of targets for each set that the loop adds to. */
public final class Conflicts {
    private final int elements;
    private final List<TargetTable> tables;

    /**
     * Creates conflicts.
     *
     * @param elements the number of elements of the loop
     * @param tables   what they add to, one table for each target set
     */
    public Conflicts(int elements, List<TargetTable> tables) {
        this.elements = elements;
        this.tables = List.copyOf(tables);
    }

    /**
     * Finds the conflicts of a loop. Dats on one set count as one, as if all were added to together.
     *
     * @param loop the loop
     * @return a table for each set that it adds to through maps
     */
    public static Conflicts of(LoopDeclaration loop) {
        Map<MeshSet, TargetTable> tables = new LinkedHashMap<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a)) {
                MeshSet to = loop.map(a).to();
                tables.computeIfAbsent(to, set -> new TargetTable(set.size())).add(loop.map(a), loop.entry(a));
            }
        }
        TargetTable own = tables.get(loop.set());
        if (own != null && addsDirectly(loop)) {
            own.column(IntStream.range(0, loop.set().withRows()).toArray());
        }
        return new Conflicts(loop.set().withRows(), List.copyOf(tables.values()));
    }

    private static boolean addsDirectly(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity())
                .anyMatch(a -> loop.access(a) == Access.INCREMENT && loop.map(a) == null);
    }

    /**
     * Returns the number of elements.
     *
     * @return those of the loop's set that have rows in maps
     */
    public int elements() {
        return elements;
    }

    /**
     * Returns the tables.
     *
     * @return one for each target set
     */
    public List<TargetTable> tables() {
        return tables;
    }

    /**
     * Says whether there are none.
     *
     * @return true if any two elements may run at once
     */
    public boolean none() {
        return tables.isEmpty();
    }

    long[][] newMasks() {
        return tables.stream().map(table -> new long[table.targets()]).toArray(long[][]::new);
    }

    long mask(long[][] masks, int element) {
        long mask = 0;
        for (int t = 0; t < masks.length; t++) {
            mask |= tables.get(t).mask(masks[t], element);
        }
        return mask;
    }

    void mark(long[][] masks, int element, long bits) {
        for (int t = 0; t < masks.length; t++) {
            tables.get(t).mark(masks[t], element, bits);
        }
    }

    void clear(long[][] masks, int element) {
        for (int t = 0; t < masks.length; t++) {
            tables.get(t).clear(masks[t], element);
        }
    }
}
