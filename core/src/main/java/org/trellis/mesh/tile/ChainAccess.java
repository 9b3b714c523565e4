package org.trellis.mesh.tile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.trellis.kernel.Access;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;

/**
 * What the loops of a chain touch, without what they compute: chains that are equal here have the same tiles.
 *
 * @param loops the loops in the order in which they run
 */
public record ChainAccess(List<LoopAccess> loops) {
    /** Copies the list. */
    public ChainAccess {
        loops = List.copyOf(loops);
    }

    /**
     * What one loop touches.
     *
     * @param set     the set whose elements it runs over
     * @param end     how many of them, which are the first ones
     * @param counted how many of those, the first ones, count in what it reduces
     * @param reaches its dats
     * @param reduces whether it also reduces into a global or scalars, for which each element counts once
     */
    public record LoopAccess(MeshSet set, int end, int counted, List<Reach> reaches, boolean reduces) {
        /** Copies the list. */
        public LoopAccess {
            Objects.requireNonNull(set);
            reaches = List.copyOf(reaches);
        }
    }

    /**
     * Returns what loops touch.
     *
     * @param loops the loops
     * @return one entry for each
     */
    public static ChainAccess of(List<ChainLoop> loops) {
        List<LoopAccess> found = new ArrayList<>();
        for (ChainLoop placed : loops) {
            LoopDeclaration loop = placed.loop();
            List<Reach> reaches = new ArrayList<>();
            boolean reduces = false;
            for (int a = 0; a < loop.arity(); a++) {
                reduces |= loop.access(a).reduces();
                if (loop.dat(a) != null) {
                    reaches.add(new Reach(loop.dat(a), loop.map(a), loop.map(a) == null ? 0 : loop.entry(a),
                            loop.access(a)));
                }
            }
            found.add(new LoopAccess(loop.set(), placed.end(), placed.counted(), reaches, reduces));
        }
        return new ChainAccess(found);
    }

    /**
     * Returns the sets that loops run over or reach.
     *
     * @return each once, in the order of loops
     */
    public Set<MeshSet> sets() {
        Set<MeshSet> sets = new LinkedHashSet<>();
        for (LoopAccess loop : loops) {
            sets.add(loop.set());
            loop.reaches().forEach(reach -> sets.add(reach.dat().set()));
        }
        return sets;
    }

    /**
     * Returns the dats.
     *
     * @return each once, and whether any loop writes it
     */
    public Map<Dat, Boolean> dats() {
        Map<Dat, Boolean> dats = new LinkedHashMap<>();
        for (LoopAccess loop : loops) {
            for (Reach reach : loop.reaches()) {
                dats.merge(reach.dat(), reach.access().writes(), Boolean::logicalOr);
            }
        }
        return dats;
    }

    /**
     * Says whether values of before the chain matter: the first loop that touches a dat does not overwrite all of it.
     *
     * @param dat a dat of the chain
     * @return false if no loop sees what was there
     */
    public boolean needsBefore(Dat dat) {
        for (LoopAccess loop : loops) {
            boolean touched = false;
            for (Reach reach : loop.reaches()) {
                if (reach.dat().equals(dat)) {
                    if (reach.map() == null && reach.access() == Access.WRITE) {
                        return false;
                    }
                    touched = true;
                }
            }
            if (touched) {
                return true;
            }
        }
        return true;
    }

    /** Returns the bytes of all values of a dat. */
    static long bytes(Dat dat) {
        return (long) dat.set().size() * dat.components() * dat.type().bytes();
    }

    /** Returns the set on which there are most data: the one whose elements tiles are counted in. */
    MeshSet base() {
        Map<MeshSet, Long> bytes = new LinkedHashMap<>();
        sets().forEach(set -> bytes.put(set, 0L));
        dats().keySet().forEach(dat -> bytes.merge(dat.set(), bytes(dat), Long::sum));
        MeshSet base = null;
        for (Map.Entry<MeshSet, Long> entry : bytes.entrySet()) {
            if (base == null || entry.getValue() > bytes.get(base)) {
                base = entry.getKey();
            }
        }
        return base;
    }

    /** Returns the bytes that the loops move at least if each goes through its data on its own. */
    long bytesApart() {
        long sum = 0;
        for (LoopAccess loop : loops) {
            sum += new ChainAccess(List.of(loop)).bytesTogether();
        }
        return sum;
    }

    /** Returns the bytes that are moved at least if everything that is touched is moved once, written data twice. */
    long bytesTogether() {
        long sum = 0;
        Set<Object> maps = new LinkedHashSet<>();
        for (LoopAccess loop : loops) {
            for (Reach reach : loop.reaches()) {
                if (reach.map() != null && maps.add(List.of(reach.map(), reach.entry()))) {
                    sum += reach.mapBytes();
                }
            }
        }
        for (Map.Entry<Dat, Boolean> dat : dats().entrySet()) {
            int ways = (dat.getValue() ? 1 : 0) + (needsBefore(dat.getKey()) ? 1 : 0);
            sum += ways * Math.min(bytes(dat.getKey()), reached(dat.getKey()));
        }
        return sum;
    }

    /** Returns the bytes that loops can reach of a dat: few, if they run over few elements. */
    private long reached(Dat dat) {
        long elements = 0;
        for (LoopAccess loop : loops) {
            for (Reach reach : loop.reaches()) {
                if (reach.dat().equals(dat)) {
                    elements += reach.map() == null
                            ? loop.end()
                            : reach.mapBytes() / Integer.BYTES;
                }
            }
        }
        return elements * dat.components() * dat.type().bytes();
    }
}
