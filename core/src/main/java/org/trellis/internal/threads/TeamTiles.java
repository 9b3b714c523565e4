package org.trellis.internal.threads;

import java.util.List;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.tile.TilePlan;

/** Tiles without redundancy: the kernels run in place over the elements that a tile has of each loop. */
final class TeamTiles extends TeamChain {
    private final HostBinding[] bindings;
    private final TilePieces[] pieces;

    TeamTiles(List<LoopDeclaration> loops, List<LoopStyle> styles, TilePlan plan, WorkerTeam team) {
        super(loops, plan, team);
        bindings = new HostBinding[loops.size()];
        pieces = new TilePieces[loops.size()];
        for (int i = 0; i < bindings.length; i++) {
            LoopDeclaration loop = loops.get(i);
            bindings[i] = new HostBinding(loop, false, new Object[loop.arity()]);
            RangeLoop ranges = loop.kernel().loop(styles.get(i), loop.precision(), bindings[i].shape(false));
            RangeLoop lists = loop.kernel().loop(styles.get(i), loop.precision(), bindings[i].shape(true));
            pieces[i] = new TilePieces(plan.elements(i), plan.offsets(i), ranges, lists);
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
        for (int i = 0; i < pieces.length; i++) {
            reductions(i).start(range(unit, i));
            pieces[i].run(tile, bindings[i].arguments(), range(unit, i));
            reductions(i).keep(tile, range(unit, i));
            time = took(unit, i, time);
        }
    }
}
