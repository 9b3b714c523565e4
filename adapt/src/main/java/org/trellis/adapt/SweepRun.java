package org.trellis.adapt;

import java.util.ArrayList;
import java.util.List;
import org.trellis.adapt.SweepOptions.Acceptance;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.ParallelLoop;

/**
 * A sweep by loops that try moves: sequences of loops, as long as they can be, and between them what the host moves.
 */
final class SweepRun {
    private static final int NONE = -1;

    private final SweepLoops loops;
    private final SweepOptions options;
    /** Moves vertices between loops; null if there are none. */
    private final HostVertices host;
    private final List<LoopSequence> parts = new ArrayList<>();
    /** The colour whose vertices the host moves after each part, or {@link #NONE}. */
    private final List<Integer> colours = new ArrayList<>();

    /**
     * Declares the sequences.
     *
     * @param name    begins their names
     * @param loops   the loops
     * @param options how to smooth; not all moves are accepted
     * @param host    the vertices that the host moves, or null
     */
    SweepRun(String name, SweepLoops loops, SweepOptions options, HostVertices host) {
        this.loops = loops;
        this.options = options;
        this.host = host;
        List<List<ParallelLoop>> sweep = loops.byColours(options);
        List<ParallelLoop> part = new ArrayList<>();
        for (int c = 0; c < sweep.size(); c++) {
            part.addAll(sweep.get(c));
            if (host != null && host.has(c)) {
                part.add(host.take(c));
                add(name, part, c);
                part.clear();
                part.add(host.put(c));
            }
        }
        if (!part.isEmpty()) {
            add(name, part, NONE);
        }
    }

    private void add(String name, List<ParallelLoop> part, int colour) {
        Mesh mesh = loops.vertices().mesh();
        LoopSequence.Builder builder = mesh.sequence(parts.isEmpty() ? name : name + "-" + parts.size());
        if (parts.isEmpty()) {
            builder.set(loops.moved(), 0);
        }
        part.forEach(builder::run);
        parts.add(builder.build());
        colours.add(colour);
    }

    /** Sweeps once; returns whether a vertex has moved. */
    boolean run() {
        int moved = 0;
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).run();
            if (colours.get(i) != NONE) {
                moved += host.move(colours.get(i), options.method(), options.acceptance() == Acceptance.BETTER,
                        options.gain());
            }
        }
        return moved != 0 || loops.moved().get(0) != 0;
    }
}
