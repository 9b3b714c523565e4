package org.trellis.mesh;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.trellis.kernel.Access;

/**
 * The bytes that a loop must move at least once: its direct dats, each indirect value once however many elements use
 * it, and its maps. Read and written counts twice. What the OP2 papers call useful bandwidth is this over time.
 */
final class LoopTraffic {
    private LoopTraffic() {}

    static long usefulBytes(LoopDeclaration loop) {
        Map<Dat, BitSet> touched = new HashMap<>();
        Map<Dat, Access> accesses = new HashMap<>();
        Set<Object> maps = new HashSet<>();
        long bytes = 0;
        for (int a = 0; a < loop.arity(); a++) {
            Dat dat = loop.dat(a);
            if (dat == null) {
                continue;
            }
            accesses.put(dat, loop.access(a));
            BitSet targets = touched.computeIfAbsent(dat, d -> new BitSet(d.set().size()));
            if (loop.map(a) == null) {
                targets.set(0, loop.set().size());
            } else {
                bytes += mapBytes(loop.map(a), loop.entry(a), targets, maps);
            }
        }
        for (Map.Entry<Dat, BitSet> entry : touched.entrySet()) {
            Dat dat = entry.getKey();
            Access access = accesses.get(dat);
            int ways = access == Access.READ || access == Access.WRITE ? 1 : 2;
            bytes += (long) ways * entry.getValue().cardinality() * dat.components() * dat.type().bytes();
        }
        return bytes;
    }

    /** Marks the targets; returns the bytes of the columns that have not been counted yet. */
    private static long mapBytes(MeshMap map, int entry, BitSet targets, Set<Object> counted) {
        if (map.arity() == MeshMap.VARIABLE) {
            Arrays.stream(map.entries()).forEach(targets::set);
            return counted.add(map) ? (long) Integer.BYTES * (map.entries().length + map.offsets().length) : 0;
        }
        long bytes = 0;
        for (int e = 0; e < map.arity(); e++) {
            if (entry == e || entry == IndirectArgument.ALL) {
                int[] column = map.column(e);
                for (int target : column) {
                    targets.set(target);
                }
                bytes += counted.add(column) ? (long) Integer.BYTES * column.length : 0;
            }
        }
        return bytes;
    }
}
