package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.RankedChain;
import org.trellis.mesh.loop.ExchangeStatistics;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;

/**
 * A chain of loops on a rank, with halos as deep as the chain: going backwards, each loop is run as far into other
 * ranks' elements as those behind it need what it writes ({@link RingSearch}), so that one exchange before all of them
 * is enough. Where the mesh has fewer rings, a new stretch begins with an exchange of its own. Between exchanges loops
 * run tile by tile, if the rank has tiles.
 */
final class RankChain implements RankedChain {
    private final RankMesh share;
    private final List<ParallelLoop> whole;
    private final List<RankLoop> loops = new ArrayList<>();
    private final List<RankChainSegment> stretches = new ArrayList<>();
    /** The stretch of each loop. */
    private final List<RankChainSegment> stretchOf = new ArrayList<>();
    private final int rings;
    private long exchanges;
    private long apart;
    /** What was up to date before the last run, and how many exchanges that would take loop by loop. */
    private final Map<LocalDat, Freshness> before = new LinkedHashMap<>();
    private int exchangesApart = -1;

    /**
     * Prepares the loops.
     *
     * @param share    what the rank has
     * @param whole    the loops of the whole mesh in the order in which they run
     * @param tiling   the kind of tiles
     * @param tileSize elements of a tile; 0 for none
     */
    RankChain(RankMesh share, List<ParallelLoop> whole, Tiling tiling, int tileSize) {
        this.share = share;
        this.whole = List.copyOf(whole);
        whole.forEach(loop -> loops.add(share.ranked(loop)));
        List<Integer> depths = new ArrayList<>();
        List<List<Integer>> places = places(depths);
        rings = depths.stream().mapToInt(Integer::intValue).max().orElse(0);
        for (List<Integer> group : places) {
            RankChainSegment stretch = new RankChainSegment(share, group.stream().map(loops::get).toList(),
                    group.stream().map(depths::get).toList(), group.getFirst());
            stretches.add(stretch);
            group.forEach(place -> stretchOf.add(stretch));
        }
        if (tileSize > 0) {
            stretches.forEach(stretch -> stretch.tile(tiling, tileSize));
        }
        for (RankLoop loop : loops) {
            loop.dats().forEach(dat -> before.put(dat, new Freshness()));
        }
    }

    /** Finds the loops of each stretch, and the ring of each loop. */
    private List<List<Integer>> places(List<Integer> depths) {
        List<List<Integer>> places = new ArrayList<>(List.of(new ArrayList<>()));
        RingSearch search = new RingSearch(share.rings());
        for (int i = loops.size() - 1; i >= 0; i--) {
            RankLoop loop = loops.get(i);
            depths.add(search.before(loop.whole().declaration(), loop.access()));
            if (search.isAnew()) {
                places.add(new ArrayList<>());
            }
            places.getLast().add(i);
        }
        Collections.reverse(depths);
        places.forEach(Collections::reverse);
        Collections.reverse(places);
        return places;
    }

    /** Proposes sizes of tiles for loops that run with one exchange. */
    static TileProposal propose(RankMesh share, List<ParallelLoop> whole, Tiling tiling) {
        RingSearch search = new RingSearch(share.rings());
        List<ChainLoop> placed = new ArrayList<>();
        for (ParallelLoop loop : whole.reversed()) {
            RankLoop ranked = share.ranked(loop);
            placed.add(ranked.placed(search.before(loop.declaration(), ranked.access())));
        }
        Collections.reverse(placed);
        return share.mesh().backend().kernels(LoopKernels.class).tiles(placed, tiling);
    }

    @Override
    public void run(int loop) {
        RankChainSegment stretch = stretchOf.get(loop);
        if (loop == 0) {
            share.left();
            apart += apartNow();
        }
        if (loop == stretch.first()) {
            exchanges += stretch.begin() ? 1 : 0;
        }
        stretch.run(loop);
    }

    /** Returns how many exchanges a run would take loop by loop from now on. */
    private int apartNow() {
        boolean same = exchangesApart >= 0;
        for (Map.Entry<LocalDat, Freshness> dat : before.entrySet()) {
            same &= dat.getValue().isLike(dat.getKey().freshness());
        }
        if (same) {
            return exchangesApart;
        }
        Map<LocalDat, Freshness> now = new HashMap<>();
        before.forEach((dat, seen) -> {
            seen.copy(dat.freshness());
            Freshness copy = new Freshness();
            copy.copy(seen);
            now.put(dat, copy);
        });
        exchangesApart = 0;
        for (RankLoop loop : loops) {
            List<HaloNeed> stale = new ArrayList<>();
            for (HaloNeed need : loop.needs(loop.leastRing())) {
                if (!need.dat().set().replicated() && !now.get(need.dat()).has(need.key())) {
                    stale.add(need);
                    now.get(need.dat()).brought(need.key());
                }
            }
            exchangesApart += share.messages().isEmpty(stale) ? 0 : 1;
            loop.levels(loop.leastRing()).forEach((dat, level) -> now.get(dat).written(level));
        }
        return exchangesApart;
    }

    @Override
    public boolean isCurrent() {
        for (int i = 0; i < loops.size(); i++) {
            if (!share.has(whole.get(i), loops.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Optional<TileStatistics> tiles() {
        return stretches.stream().map(RankChainSegment::tiles).flatMap(Optional::stream).reduce(RankChain::together);
    }

    private static TileStatistics together(TileStatistics one, TileStatistics other) {
        return new TileStatistics(one.tiling(), one.tileSize(), one.tiles() + other.tiles(),
                Math.max(one.levels(), other.levels()), one.elements() + other.elements(),
                one.executed() + other.executed(), one.bytes() + other.bytes(), one.tileBytes() + other.tileBytes(),
                one.seconds() + other.seconds());
    }

    @Override
    public ExchangeStatistics exchanges() {
        return new ExchangeStatistics(rings, exchanges, apart);
    }

    @Override
    public void close() {
        stretches.forEach(RankChainSegment::close);
    }

    /** Returns the rings that chains of the whole mesh need which run in tiles, as far as they are known. */
    static int depth(List<List<LoopDeclaration>> chains) {
        return chains.stream().mapToInt(chain -> RingSearch.depth(chain, LocalSets.MOST_RINGS)).max().orElse(1);
    }
}
