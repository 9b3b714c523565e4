package org.trellis.adapt;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Moves all vertices, sweep by sweep and within a sweep set by set: vertices of a set have no edge between them, so
 * they move
 * at once, and each set sees what the ones before have done. Sets are the colours of a first-fit colouring in the
 * order of
 * numbers; bound vertices have sets of their own, after the others (Rokos 2010, section 4.5.2).
 */
final class Smoothing {
    private static final int GRAIN = 64;

    private final CavityMesh mesh;
    private final Team team;
    private final Mobility mobility;
    private final int[][] sets;
    private final boolean[] due;

    Smoothing(CavityMesh mesh, Team team) {
        this.mesh = mesh;
        this.team = team;
        mobility = new Mobility(mesh, team);
        due = new boolean[mesh.vertices];
        int[] colours = new int[mesh.vertices];
        Arrays.fill(colours, -1);
        int inner = colour(colours, false, 0);
        int all = colour(colours, true, inner);
        sets = sets(colours, all);
    }

    /** Gives first-fit colours to free or to bound vertices, beginning with {@code base}; returns the next colour. */
    private int colour(int[] colours, boolean bound, int base) {
        int next = base;
        for (int v = 0; v < mesh.vertices; v++) {
            if (mesh.isUsed(v) && mobility.isBound(v) == bound) {
                long taken = 0;
                for (int i = 0; i < mesh.degrees[v]; i++) {
                    for (int k = 0; k < mesh.width; k++) {
                        int other = colours[mesh.corners[mesh.stars[v][i] * mesh.width + k]];
                        taken |= other >= base ? 1L << Math.min(other - base, Long.SIZE - 1) : 0;
                    }
                }
                colours[v] = base + Math.min(Long.numberOfTrailingZeros(~taken), Long.SIZE - 1);
                if (colours[v] - base == Long.SIZE - 1) {
                    throw new IllegalStateException("vertex " + v + " has " + mesh.degrees[v]
                            + " elements around it that use 63 colours, expected fewer");
                }
                next = Math.max(next, colours[v] + 1);
            }
        }
        return next;
    }

    private static int[][] sets(int[] colours, int count) {
        int[] sizes = new int[count];
        for (int colour : colours) {
            if (colour >= 0) {
                sizes[colour]++;
            }
        }
        int[][] sets = new int[count][];
        for (int c = 0; c < count; c++) {
            sets[c] = new int[sizes[c]];
        }
        for (int v = colours.length - 1; v >= 0; v--) {
            if (colours[v] >= 0) {
                sets[colours[v]][--sizes[colours[v]]] = v;
            }
        }
        return sets;
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
     * @param swept  is told after each how many have been done; may look, and compact what has no gaps
     * @return how many have been done
     */
    int run(SmoothingMethod method, boolean smart, int sweeps, IntConsumer swept) {
        Arrays.fill(due, true);
        boolean settles = smart || method == SmoothingMethod.OPTIMISATION;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            boolean[] moved = new boolean[1];
            for (int[] set : sets) {
                mesh.freeScratch();
                team.run(set.length, GRAIN, () -> new VertexSmoother(mesh, mobility), (from, to, smoother) -> {
                    for (int i = from; i < to; i++) {
                        int vertex = set[i];
                        if (!settles || due[vertex]) {
                            due[vertex] = false;
                            if (smoother.smooth(vertex, method, smart)) {
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

    /** What moves has neighbours of other colours only, so nobody reads these flags meanwhile. */
    private void wakeAround(int vertex) {
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            for (int k = 0; k < mesh.width; k++) {
                due[mesh.corners[mesh.stars[vertex][i] * mesh.width + k]] = true;
            }
        }
    }
}
