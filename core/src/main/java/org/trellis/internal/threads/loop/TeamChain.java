package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.LoopRange;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.DatCopy;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.tile.TilePlan;

/** Loops that run tile by tile on a team of threads: the strands of a level at once, level after level. */
abstract class TeamChain implements PreparedChain {
    private static final int UNITS_PER_THREAD = 8;
    /** Counters of a thread lie on cache lines of their own. */
    private static final int PADDING = 16;

    private final List<LoopDeclaration> loops;
    private final TilePlan plan;
    private final WorkerTeam team;
    private final Reductions[] reductions;
    private final LoopPhase[] levels;
    private final LoopRange[][] ranges;
    private final long[][] times;

    TeamChain(List<ChainLoop> placed, TilePlan plan, WorkerTeam team) {
        this.loops = placed.stream().map(ChainLoop::loop).toList();
        this.plan = Objects.requireNonNull(plan);
        this.team = team;
        int units = team.size() == 1 ? 1 : UNITS_PER_THREAD * team.size();
        int[] tiles = new int[plan.tiles() + 1];
        Arrays.setAll(tiles, tile -> tile);
        this.reductions = new Reductions[loops.size()];
        this.ranges = new LoopRange[units][loops.size()];
        this.times = new long[units][loops.size() + PADDING];
        for (int loop = 0; loop < loops.size(); loop++) {
            reductions[loop] = new Reductions(loops.get(loop), tiles);
            for (LoopRange[] ofUnit : ranges) {
                ofUnit[loop] = new LoopRange(loops.get(loop).kernel().signature());
            }
        }
        List<LoopPhase> phases = new ArrayList<>();
        int[] offsets = plan.order().levelOffsets();
        for (int level = 0; level < plan.order().levels(); level++) {
            phases.add(new Level(offsets[level], offsets[level + 1], units));
        }
        this.levels = phases.toArray(LoopPhase[]::new);
    }

    /** The strands of one level. */
    private final class Level extends LoopPhase {
        private final int first;

        Level(int first, int end, int maxUnits) {
            super(end - first, maxUnits);
            this.first = first;
        }

        @Override
        void run(int unit, int from, int to) {
            for (int i = from; i < to; i++) {
                int[] offsets = plan.order().strandOffsets();
                for (int t = offsets[first + i]; t < offsets[first + i + 1]; t++) {
                    runTile(unit, plan.order().tiles()[t]);
                }
            }
        }
    }

    final int units() {
        return ranges.length;
    }

    final List<LoopDeclaration> loops() {
        return loops;
    }

    final TilePlan plan() {
        return plan;
    }

    final Reductions reductions(int loop) {
        return reductions[loop];
    }

    final LoopRange range(int unit, int loop) {
        return ranges[unit][loop];
    }

    /** Notes that a unit has been at a loop since some time, and returns the time now. */
    final long took(int unit, int loop, long since) {
        long now = System.nanoTime();
        times[unit][loop] += now - since;
        return now;
    }

    /** Takes over what is bound to the loops now. */
    abstract void bind();

    abstract void runTile(int unit, int tile);

    @Override
    public final void run() {
        bind();
        for (long[] ofUnit : times) {
            Arrays.fill(ofUnit, 0);
        }
        for (LoopPhase level : levels) {
            team.run(level.units(), level);
        }
    }

    @Override
    public final void reduce(int loop) {
        reductions[loop].finish(0, plan.tiles());
    }

    @Override
    public final long nanoseconds(int loop) {
        long sum = 0;
        for (long[] ofUnit : times) {
            sum += ofUnit[loop];
        }
        return sum;
    }

    @Override
    public List<DatCopy> copies() {
        return List.of();
    }

    @Override
    public final TileStatistics statistics() {
        return plan.statistics();
    }

    @Override
    public void close() {}
}
