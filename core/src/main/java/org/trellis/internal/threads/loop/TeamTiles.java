package org.trellis.internal.threads.loop;

import java.util.List;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.tile.TilePlan;

/** Tiles without redundancy: the kernels run in place over the elements that a tile has of each loop. */
final class TeamTiles extends TeamChain {
    private final HostBinding[] bindings;
    private final TileRanges[] counted;
    /** Elements that do not count in what a loop reduces; null where there are none. */
    private final TileRanges[] others;

    TeamTiles(List<ChainLoop> placed, List<LoopStyle> styles, TilePlan plan, WorkerTeam team) {
        super(placed, plan, team);
        bindings = new HostBinding[placed.size()];
        counted = new TileRanges[bindings.length];
        others = new TileRanges[bindings.length];
        for (int i = 0; i < bindings.length; i++) {
            LoopDeclaration loop = placed.get(i).loop();
            bindings[i] = new HostBinding(loop, false, new Object[loop.arity()]);
            RangeLoop ranges = loop.kernel().loop(styles.get(i), loop.precision(), bindings[i].shape(false));
            RangeLoop lists = loop.kernel().loop(styles.get(i), loop.precision(), bindings[i].shape(true));
            if (reductions(i).isEmpty() || placed.get(i).counted() == placed.get(i).end()) {
                counted[i] = new TileRanges(plan.elements(i), plan.offsets(i), ranges, lists);
            } else {
                TileRanges[] parts = TileRanges.parted(plan, i, ranges, lists);
                counted[i] = parts[0];
                others[i] = parts[1];
            }
        }
    }

    @Override
    void bind() {
        for (int i = 0; i < bindings.length; i++) {
            for (int a = 0; a < loops().get(i).arity(); a++) {
                bindings[i].rebind(a);
                reductions(i).rebind(a);
            }
            bindings[i].readScalars();
        }
    }

    @Override
    void runTile(int unit, int tile) {
        long time = System.nanoTime();
        for (int i = 0; i < counted.length; i++) {
            reductions(i).start(range(unit, i));
            counted[i].run(tile, bindings[i].arguments(), range(unit, i));
            reductions(i).keep(tile, range(unit, i));
            if (others[i] != null) {
                others[i].run(tile, bindings[i].arguments(), range(unit, i));
            }
            time = took(unit, i, time);
        }
    }
}
