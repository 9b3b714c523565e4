package org.trellis.adapt;

import java.util.function.IntConsumer;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.MetricSource;

/** The operations of an adaptation on one mesh. */
final class Adapter implements AutoCloseable {
    static final int MOST_PASSES = 60;

    private final CavityMesh mesh;
    private final Team team;
    private final IndependentRounds rounds;

    Adapter(SimplexMesh start, MetricSource source, int threads) {
        team = new Team(threads);
        mesh = new CavityMesh(start, source);
        rounds = new IndependentRounds(mesh, team);
    }

    /** Splits until no edge is longer, or for some passes; returns how many edges were split. */
    int refine(double limit, int passes) {
        int total = 0;
        int since = 0;
        for (int pass = 0; pass < passes; pass++) {
            int done = rounds.run(new EdgeSplit(mesh, limit), since);
            since = rounds.pass();
            total += done;
            if (done == 0) {
                break;
            }
        }
        return total;
    }

    /** Collapses until no edge that could be is shorter. */
    int coarsen(double shortest, double longest, double tolerance) {
        int total = 0;
        int since = 0;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            int done = rounds.run(new EdgeCollapse(mesh, shortest, longest, tolerance), since);
            since = rounds.pass();
            total += done;
            if (done == 0) {
                break;
            }
        }
        mesh.compact();
        return total;
    }

    /** Swaps until nothing gets better, or for some passes. */
    int swap(double threshold, int passes) {
        int total = 0;
        int since = 0;
        for (int pass = 0; pass < passes; pass++) {
            int done = rounds.run(new FacetSwap(mesh, threshold), since);
            int next = rounds.pass();
            if (mesh.dimension == 3) {
                done += rounds.run(new EdgeRemoval(mesh, threshold), since);
            }
            since = next;
            total += done;
            if (done == 0) {
                break;
            }
        }
        return total;
    }

    /** Smooths and tells of each sweep; returns the number of sweeps. */
    int smooth(SmoothingMethod method, boolean smart, int sweeps, IntConsumer swept) {
        return new Smoothing(mesh, team).run(method, smart, sweeps, swept);
    }

    double longestEdge() {
        double longest = 0;
        for (int e = 0; e < mesh.elements; e++) {
            for (int i = 0; i < mesh.width && mesh.isAlive(e); i++) {
                for (int j = i + 1; j < mesh.width; j++) {
                    longest = Math.max(longest, mesh.edgeLength(mesh.corners[e * mesh.width + i],
                            mesh.corners[e * mesh.width + j]));
                }
            }
        }
        return longest;
    }

    CavityMesh mesh() {
        return mesh;
    }

    SimplexMesh toMesh() {
        return mesh.toMesh();
    }

    @Override
    public void close() {
        team.close();
    }
}
