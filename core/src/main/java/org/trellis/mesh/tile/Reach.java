package org.trellis.mesh.tile;

import java.util.Objects;
import java.util.function.IntConsumer;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.MeshMap;

/**
 * How a loop reaches a dat, and what it does with it.
 *
 * @param dat    the dat
 * @param map    the map, or null if the loop's own elements are meant
 * @param entry  the entry of the map, or {@link IndirectArgument#ALL}; 0 without a map
 * @param access what the loop does
 */
public record Reach(Dat dat, MeshMap map, int entry, Access access) {
    /** Checks that there is something. */
    public Reach {
        Objects.requireNonNull(dat);
        Objects.requireNonNull(access);
    }

    /**
     * Returns the columns of targets.
     *
     * @return one for each entry; none for a loop's own elements, and for a map of variable arity
     */
    public int[][] columns() {
        if (map == null || map.arity() == MeshMap.VARIABLE) {
            return new int[0][];
        }
        if (entry != IndirectArgument.ALL) {
            return new int[][]{map.column(entry)};
        }
        int[][] columns = new int[map.arity()][];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = map.column(k);
        }
        return columns;
    }

    private boolean variable() {
        return map != null && map.arity() == MeshMap.VARIABLE;
    }

    /**
     * Calls for each target of an element.
     *
     * @param element an element of the loop's set
     * @param target  receives the targets
     */
    public void visit(int element, IntConsumer target) {
        if (map == null) {
            target.accept(element);
        } else if (variable()) {
            for (int k = map.offsets()[element]; k < map.offsets()[element + 1]; k++) {
                target.accept(map.entries()[k]);
            }
        } else if (entry != IndirectArgument.ALL) {
            target.accept(map.column(entry)[element]);
        } else {
            for (int k = 0; k < map.arity(); k++) {
                target.accept(map.column(k)[element]);
            }
        }
    }

    /** Returns the bytes of the parts of the map that are read. */
    long mapBytes() {
        if (map == null) {
            return 0;
        }
        long entries = variable()
                ? (long) map.entries().length + map.offsets().length
                : (long) columns().length * map.from().withRows();
        return entries * Integer.BYTES;
    }
}
