package org.trellis.examples.rotor.solver;

import java.util.ArrayList;
import java.util.List;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;

/** The loops of a start on coarser levels: down to the coarsest, and from level to level up again. */
final class NestedStart implements AutoCloseable {
    private final LoopSequence down;
    /** A cycle of each level, and the way from it to the next finer one, from the coarsest on. */
    private final List<LoopSequence> cycles = new ArrayList<>();
    private final List<LoopSequence> ways = new ArrayList<>();

    /**
     * Declares the loops.
     *
     * @param solver the flow
     * @param mesh   where it is
     * @param levels of the flow, finest first
     */
    NestedStart(FlowSolver solver, Mesh mesh, List<LevelSteps> levels) {
        LoopSequence.Builder going = mesh.sequence("to the coarsest level");
        for (int level = 0; level + 1 < levels.size(); level++) {
            solver.inject(going, level);
            levels.get(level + 1).stick(going);
            levels.get(level + 1).free(going);
        }
        levels.getFirst().primitive(going);
        down = going.build();
        for (int level = levels.size() - 1; level > 0; level--) {
            LoopSequence.Builder cycle = mesh.sequence("cycle from level " + level);
            solver.cycle(cycle, level);
            cycles.add(cycle.build());
            LoopSequence.Builder way = mesh.sequence("from level " + level);
            solver.up(way, level - 1);
            levels.get(level - 1).stick(way);
            levels.get(level - 1).primitive(way);
            ways.add(way.build());
        }
    }

    /** Runs so many cycles of each level. */
    void run(int count) {
        down.run();
        for (int i = 0; i < cycles.size(); i++) {
            for (int cycle = 0; cycle < count; cycle++) {
                cycles.get(i).run();
            }
            ways.get(i).run();
        }
    }

    @Override
    public void close() {
        down.close();
        cycles.forEach(LoopSequence::close);
        ways.forEach(LoopSequence::close);
    }
}
