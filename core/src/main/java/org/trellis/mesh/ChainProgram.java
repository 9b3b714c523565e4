package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;

/**
 * A chain of steps that has been examined: what can be left out, which loops can run as one and which in tiles.
 */
final class ChainProgram {
    private final List<ChainSegment> pieces = new ArrayList<>();
    private final int dead;

    ChainProgram(Mesh mesh, ChainOptions options, List<QueuedStep> noted) {
        List<Step> steps = noted.stream().map(QueuedStep::step).toList();
        boolean[] left = DeadSteps.of(steps);
        int loopsLeftOut = 0;
        for (int i = 0; i < left.length; i++) {
            loopsLeftOut += left[i] && steps.get(i) instanceof LoopStep ? 1 : 0;
        }
        for (ChainCut cut : ChainCut.of(mesh, options, steps, left)) {
            pieces.add(TunedChainSegment.of(mesh, options, steps, cut.places(), cut.tiled()));
        }
        this.dead = loopsLeftOut;
    }

    /** Runs the chain, with the values that globals are set to this time. */
    void run(List<QueuedStep> noted) {
        for (int i = 0; i < pieces.size(); i++) {
            pieces.get(i).run(noted);
        }
    }

    List<ChainReport> reports() {
        return pieces.stream().map(piece -> piece.report(dead)).toList();
    }

    /** Returns the parts that may have a choice. */
    List<TunedChainSegment> trials() {
        return pieces.stream().filter(TunedChainSegment.class::isInstance).map(TunedChainSegment.class::cast).toList();
    }

    void release() {
        pieces.forEach(ChainSegment::release);
    }
}
