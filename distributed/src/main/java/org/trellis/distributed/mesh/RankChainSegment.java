package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.DatCopy;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/** Loops of a chain on a rank that one exchange serves: each for its ring, one after the other or tile by tile. */
final class RankChainSegment implements AutoCloseable {
    private final RankMesh share;
    private final List<RankLoop> loops;
    private final List<Integer> rings;
    private final int first;
    private final StaleNeeds needs;
    private PreparedChain tiles;
    /** Messages that travel while the first loop runs. */
    private HaloMessage message;

    /**
     * Finds what the loops need.
     *
     * @param share what the rank has
     * @param loops the loops in the order in which they run
     * @param rings the ring of each
     * @param first the place of the first loop in its chain
     */
    RankChainSegment(RankMesh share, List<RankLoop> loops, List<Integer> rings, int first) {
        this.share = share;
        this.loops = List.copyOf(loops);
        this.rings = List.copyOf(rings);
        this.first = first;
        this.needs = new StaleNeeds(share.messages(), HaloNeed.of(this.loops, this.rings));
    }

    /** Cuts the loops into tiles, if there are several and none reduces into what ranks share on devices. */
    @SuppressWarnings("MustBeClosed") // closed with this
    void tile(Tiling tiling, int tileSize) {
        if (loops.size() > 1 && loops.stream().noneMatch(RankLoop::reducesOnDevices)) {
            List<ChainLoop> placed = new ArrayList<>();
            for (int i = 0; i < loops.size(); i++) {
                placed.add(loops.get(i).placed(rings.get(i)));
            }
            tiles = share.mesh().backend().kernels(LoopKernels.class).chain(placed, tiling, tileSize);
        }
    }

    int first() {
        return first;
    }

    /** Begins a run: sends what others need and, with tiles, runs all loops. Says whether there was an exchange. */
    boolean begin() {
        message = needs.message();
        boolean exchanges = message != null && !message.isEmpty();
        if (tiles != null) {
            runTiles();
        }
        return exchanges;
    }

    private void runTiles() {
        loops.getFirst().exchange(message);
        message = null;
        loops.forEach(RankLoop::readValues);
        long start = System.nanoTime();
        tiles.run();
        long wall = System.nanoTime() - start;
        for (DatCopy copy : tiles.copies()) {
            MeshChains.exchange(copy);
        }
        long busy = 1;
        for (int i = 0; i < loops.size(); i++) {
            busy += tiles.nanoseconds(i);
        }
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).ran(rings.get(i), (long) ((double) wall * tiles.nanoseconds(i) / busy));
        }
    }

    /** Runs a loop, unless it has been run, and combines what it reduces. */
    void run(int place) {
        int i = place - first;
        if (tiles == null) {
            loops.get(i).run(rings.get(i), message);
            message = null;
        } else {
            loops.get(i).reduce(tiles, i);
        }
    }

    Optional<TileStatistics> tiles() {
        return Optional.ofNullable(tiles).map(PreparedChain::statistics);
    }

    @Override
    public void close() {
        if (tiles != null) {
            tiles.close();
            tiles = null;
        }
    }
}
