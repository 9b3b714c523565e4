package org.trellis.mesh.tile;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.Tiling;

/**
 * Checks that tiles compute what the loops would one after the other. Simulates versions of values: each loop that
 * writes a value makes a new version of it, and each reader must find the version that it would find loop by loop.
 */
public final class TileChecker {
    private final ChainAccess chain;
    private final TilePlan plan;
    /** For each written dat and each value of it, how many times each loop is to write it. */
    private final Map<Dat, int[][]> writes = new HashMap<>();

    private TileChecker(ChainAccess chain, TilePlan plan) {
        this.chain = chain;
        this.plan = plan;
        chain.dats().forEach((dat, written) -> {
            if (written) {
                writes.put(dat, new int[chain.loops().size()][dat.set().size()]);
            }
        });
        for (int loop = 0; loop < chain.loops().size(); loop++) {
            for (Reach reach : chain.loops().get(loop).reaches()) {
                if (reach.access() != Access.READ) {
                    int[] counts = writes.get(reach.dat())[loop];
                    for (int e = 0; e < chain.loops().get(loop).end(); e++) {
                        reach.visit(e, target -> counts[target]++);
                    }
                }
            }
        }
    }

    /**
     * Checks a plan.
     *
     * @param chain the chain
     * @param plan  its plan
     * @throws IllegalStateException if it is wrong; names loop, tile and element
     */
    public static void check(ChainAccess chain, TilePlan plan) {
        TileChecker checker = new TileChecker(chain, plan);
        if (plan.tiling() == Tiling.SPARSE) {
            checker.checkOnce();
            checker.checkVersions();
            checker.checkLevels();
        } else {
            checker.checkOwners();
            for (int tile = 0; tile < plan.tiles(); tile++) {
                checker.checkCopies(tile);
            }
        }
    }

    private IllegalStateException wrong(int loop, int tile, String what) {
        return new IllegalStateException(plan + ": loop " + loop + ", tile " + tile + ": " + what);
    }

    private void checkOnce() {
        for (int loop = 0; loop < plan.loops(); loop++) {
            int[] seen = new int[chain.loops().get(loop).end()];
            for (int e : plan.elements(loop)) {
                seen[e]++;
            }
            for (int e = 0; e < seen.length; e++) {
                if (seen[e] != 1) {
                    throw wrong(loop, -1, "element " + e + " is run " + seen[e] + " times, expected once");
                }
            }
        }
    }

    /** Goes through tiles in order and counts writes: at each touch all of earlier loops, and none of later ones. */
    private void checkVersions() {
        Map<Dat, int[][]> done = new HashMap<>();
        writes.forEach((dat, counts) -> done.put(dat, new int[counts.length][dat.set().size()]));
        Map<Dat, int[]> latestReader = new HashMap<>();
        writes.keySet().forEach(dat -> latestReader.put(dat, new int[dat.set().size()]));
        for (int tile : plan.order().tiles()) {
            for (int loop = 0; loop < plan.loops(); loop++) {
                for (int i = plan.offsets(loop)[tile]; i < plan.offsets(loop)[tile + 1]; i++) {
                    touch(loop, tile, plan.elements(loop)[i], done, latestReader);
                }
            }
        }
    }

    private void touch(int loop, int tile, int element, Map<Dat, int[][]> done, Map<Dat, int[]> latestReader) {
        for (Reach reach : chain.loops().get(loop).reaches()) {
            if (!writes.containsKey(reach.dat())) {
                continue;
            }
            int[][] wanted = writes.get(reach.dat());
            int[][] found = done.get(reach.dat());
            int[] reader = latestReader.get(reach.dat());
            reach.visit(element, target -> {
                for (int other = 0; other < plan.loops(); other++) {
                    int expected = other < loop ? wanted[other][target] : 0;
                    if (other != loop && found[other][target] != expected) {
                        throw wrong(loop, tile, "element " + element + " finds " + found[other][target]
                                + " writes of loop " + other + " to element " + target + " of " + reach.dat()
                                + ", expected " + expected);
                    }
                }
                if (reach.access() == Access.READ) {
                    reader[target] = Math.max(reader[target], loop);
                } else if (reader[target] > loop) {
                    throw wrong(loop, tile, "element " + element + " writes element " + target + " of " + reach.dat()
                            + " after loop " + reader[target] + " has read it");
                } else {
                    found[loop][target]++;
                }
            });
        }
    }

    /** Within a level, what a strand writes no other touches. */
    private void checkLevels() {
        for (Dat dat : writes.keySet()) {
            int[] writer = new int[dat.set().size()];
            int[] reader = new int[dat.set().size()];
            TileOrder order = plan.order();
            for (int level = 0; level < order.levels(); level++) {
                Arrays.fill(writer, -1);
                Arrays.fill(reader, -1);
                for (int strand = order.levelOffsets()[level]; strand < order.levelOffsets()[level + 1]; strand++) {
                    for (int i = order.strandOffsets()[strand]; i < order.strandOffsets()[strand + 1]; i++) {
                        checkAlone(dat, order.tiles()[i], strand, writer, reader);
                    }
                }
            }
        }
    }

    private void checkAlone(Dat dat, int tile, int strand, int[] writer, int... reader) {
        for (int loop = 0; loop < plan.loops(); loop++) {
            int place = loop;
            for (Reach reach : chain.loops().get(loop).reaches()) {
                for (int i = plan.offsets(loop)[tile]; i < plan.offsets(loop)[tile + 1]
                        && reach.dat().equals(dat); i++) {
                    reach.visit(plan.elements(loop)[i], target -> {
                        boolean writes = reach.access() != Access.READ;
                        boolean met = (writer[target] >= 0 && writer[target] != strand)
                                || (writes && reader[target] >= 0 && reader[target] != strand);
                        if (met) {
                            throw wrong(place, tile, "element " + target + " of " + dat
                                    + " is touched by two strands of one level, one of which writes it");
                        }
                        (writes ? writer : reader)[target] = strand;
                    });
                }
            }
        }
    }

    /** Each element of each set is written back by one tile. */
    private void checkOwners() {
        for (MeshSet set : chain.sets()) {
            int[] owners = new int[set.size()];
            for (TileCopies copies : plan.copies()) {
                for (int i = 0; i < copies.own().get(set); i++) {
                    owners[copies.elements().get(set)[i]]++;
                }
            }
            for (int e = 0; e < owners.length; e++) {
                if (owners[e] != 1) {
                    throw wrong(-1, -1, "element " + e + " of " + set + " is written back " + owners[e]
                            + " times, expected once");
                }
            }
        }
    }

    /** A loop that reduces runs all elements of which a tile is the owner. */
    private void checkReducing(int loop, int tile) {
        ChainAccess.LoopAccess access = chain.loops().get(loop);
        int own = plan.counted(loop, tile);
        int from = plan.offsets(loop)[tile];
        int found = 0;
        for (int i = from; i < plan.offsets(loop)[tile + 1]; i++) {
            found += plan.elements(loop)[i] < own ? 1 : 0;
        }
        if (access.reduces() && found != own) {
            throw wrong(loop, tile, "reduces over " + found + " of its own elements, expected all " + own);
        }
    }

    /** Whatever is read, or is the tile's own at the end, has been written as often as loop by loop. */
    private void checkCopies(int tile) {
        TileCopies copies = plan.copies().get(tile);
        Map<Dat, int[][]> done = new HashMap<>();
        writes.forEach((dat, counts) -> done.put(dat, new int[counts.length][copies.elements().get(dat.set()).length]));
        for (int loop = 0; loop < plan.loops(); loop++) {
            checkReducing(loop, tile);
            for (int i = plan.offsets(loop)[tile]; i < plan.offsets(loop)[tile + 1]; i++) {
                int local = plan.elements(loop)[i];
                for (Reach reach : chain.loops().get(loop).reaches()) {
                    checkReach(reach, loop, tile, local, done);
                }
            }
        }
        for (Dat dat : writes.keySet()) {
            for (int i = 0; i < copies.own().get(dat.set()); i++) {
                checkComplete(dat, plan.loops(), tile, i, done);
            }
        }
    }

    private void checkReach(Reach reach, int loop, int tile, int local, Map<Dat, int[][]> done) {
        TileCopies copies = plan.copies().get(tile);
        int element = copies.elements().get(chain.loops().get(loop).set())[local];
        IntList globals = new IntList();
        reach.visit(element, globals::add);
        for (int k = 0; k < globals.size(); k++) {
            int place = reach.map() == null ? local : localTarget(reach, copies.maps().get(reach.map()), local, k);
            boolean here = copies.elements().get(reach.dat().set())[place] == globals.get(k);
            if (!here && reach.access() == Access.READ) {
                throw wrong(loop, tile, "element " + element + " reads a copy of another element than "
                        + globals.get(k) + " of " + reach.dat());
            }
            if (!here || !writes.containsKey(reach.dat())) {
                continue;
            }
            if (reach.access() == Access.READ || reach.access() == Access.READ_WRITE) {
                checkComplete(reach.dat(), loop, tile, place, done);
            }
            if (reach.access() != Access.READ) {
                done.get(reach.dat())[loop][place]++;
            }
        }
    }

    private static int localTarget(Reach reach, TileCopies.LocalMap map, int local, int k) {
        return reach.map().arity() == MeshMap.VARIABLE
                ? map.entries()[map.offsets()[local] + k]
                : map.columns()[Math.max(0, reach.entry()) + k][local];
    }

    private void checkComplete(Dat dat, int loop, int tile, int place, Map<Dat, int[][]> done) {
        int element = plan.copies().get(tile).elements().get(dat.set())[place];
        for (int other = 0; other < loop; other++) {
            int expected = writes.get(dat)[other][element];
            if (done.get(dat)[other][place] != expected) {
                throw wrong(loop, tile, "finds " + done.get(dat)[other][place] + " writes of loop " + other
                        + " to element " + element + " of " + dat + ", expected " + expected);
            }
        }
    }
}
