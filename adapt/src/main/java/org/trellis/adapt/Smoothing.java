package org.trellis.adapt;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Moves all vertices, sweep by sweep and within a sweep set by set: vertices of a set have no edge between them, so
 * they move at once, and each set sees what the ones before have done. Sets are the colours of a first-fit colouring in
 * the order of numbers; bound vertices have sets of their own, after the others (Rokos 2010, section 4.5.2).
 */
final class Smoothing {
    private static final int GRAIN = 64;
    private static final List<SmoothingMethod> METHODS = List.of(SmoothingMethod.values());
    /** All methods. */
    static final byte ALL = (byte) ((1 << METHODS.size()) - 1);

    private final CavityMesh mesh;
    private final Team team;
    private final Mobility mobility;
    private final VertexGraph graph;
    private final int[][] sets;
    /** For each vertex the methods, as bits, that have not yet failed to move it since something around it changed. */
    private final byte[] due;
    /** Workspaces of threads, made when first needed. */
    private final VertexSmoother[] smoothers;
    private final AtomicInteger taken = new AtomicInteger();

    /**
     * Finds sets of vertices.
     *
     * @param mesh the mesh, whose topology stays as long as this is used
     * @param team who works
     * @param due  for each vertex the methods that may move it; kept up to date
     */
    Smoothing(CavityMesh mesh, Team team, byte[] due) {
        this.mesh = mesh;
        this.team = team;
        mobility = new Mobility(mesh, team);
        graph = new VertexGraph(mesh, team);
        this.due = due;
        boolean[] bound = new boolean[mesh.vertices];
        for (int v = 0; v < bound.length; v++) {
            bound[v] = mobility.isBound(v);
        }
        sets = graph.sets(bound);
        smoothers = new VertexSmoother[team.threads()];
    }

    /** Returns the sets, in the order in which they move. */
    int[][] sets() {
        return sets;
    }

    /**
     * Sweeps until nothing moves any more.
     *
     * @param method where vertices go
     * @param smart  whether the worst element around must become better
     * @param sweeps how many sweeps at most
     * @param gain   the least improvement of the worst element that is worth a move, if moves are for that
     * @param swept  receives after each how many have been done; may look, and compact what has no gaps
     * @return how many have been done
     */
    int run(SmoothingMethod method, boolean smart, int sweeps, double gain, IntConsumer swept) {
        int bit = 1 << METHODS.indexOf(method);
        boolean settles = smart || method == SmoothingMethod.OPTIMISATION;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            boolean[] moved = new boolean[1];
            for (int[] set : sets) {
                taken.set(0);
                team.run(set.length, GRAIN, this::smoother, (from, to, smoother) -> {
                    for (int i = from; i < to; i++) {
                        int vertex = set[i];
                        if (!settles || (due[vertex] & bit) != 0) {
                            due[vertex] &= (byte) ~bit;
                            if (smoother.smooth(vertex, method, smart, gain)) {
                                wakeAround(vertex);
                                moved[0] = true;
                            }
                        }
                    }
                });
            }
            swept.accept(sweep + 1);
            if (!moved[0]) {
                return sweep + 1;
            }
        }
        return sweeps;
    }

    /** Returns a workspace that no other thread of this step has. */
    private VertexSmoother smoother() {
        int place = taken.getAndIncrement();
        if (smoothers[place] == null) {
            smoothers[place] = new VertexSmoother(mesh, mobility, graph);
        }
        return smoothers[place];
    }

    /** What moves has neighbours of other colours only, so no thread reads these flags meanwhile. */
    private void wakeAround(int vertex) {
        due[vertex] = ALL;
        for (int i = graph.offsets[vertex]; i < graph.offsets[vertex + 1]; i++) {
            due[graph.neighbours[i]] = ALL;
        }
    }
}
