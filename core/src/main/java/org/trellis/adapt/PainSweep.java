package org.trellis.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.mesh.ColourSweep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshSet;

/**
 * Smoothing of a plane mesh by Pain's algorithm with the mesh runtime: a loop for each colour of vertices, on any
 * backend
 * that has loops with maps of variable arity. The metric is {@link AnalyticMetrics#linear} or
 * {@link AnalyticMetrics#sine}, so that all data stay where the backend computes. The plain algorithm: nothing is
 * asked of
 * the quality, and nothing keeps elements from being inverted.
 */
public final class PainSweep implements AutoCloseable {
    private final Mesh mesh;
    private final Dat positions;
    private final LoopSequence sweep;
    private final int colours;

    /**
     * Declares the loops.
     *
     * @param backend   where they run; stays open
     * @param simplices the mesh, of triangles
     * @param sine      whether lengths follow a sine along the first axis, or else fall linearly along both
     * @param least     the least length of edges
     * @param greatest  the greatest
     * @throws IllegalArgumentException if the mesh is one of tetrahedra or a length is not positive
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this, or here if something fails
    public PainSweep(Backend backend, SimplexMesh simplices, boolean sine, double least, double greatest) {
        if (simplices.dimension() != 2) {
            throw new IllegalArgumentException(simplices + ", expected one of triangles");
        }
        if (!(least > 0) || !(greatest > 0)) {
            throw new IllegalArgumentException(
                    "lengths of edges are " + least + " to " + greatest + ", expected numbers above 0");
        }
        mesh = Mesh.on(backend);
        boolean done = false;
        try {
            Surroundings around = Surroundings.of(simplices);
            MeshSet vertices = mesh.set("vertices", simplices.vertices());
            ColourSweep colouring = ColourSweep.of("moving",
                    mesh.map("neighbours", vertices, vertices, around.offsets(), around.neighbours()),
                    around.classes());
            positions = mesh.dat("positions", vertices, 2, Precision.F64, simplices.coordinates());
            Dat tangents = mesh.dat("tangents", vertices, 2, Precision.F64, around.tangents());
            MeshConstant shortest = mesh.constant("least", least);
            MeshConstant longest = mesh.constant("greatest", greatest);
            MeshConstant wave = mesh.constant("wave", sine ? 1 : 0);
            colours = colouring.colours().size();
            int[] classes = around.classes();
            sweep = colouring.sequence("sweep",
                    colour -> isFree(colour, classes) ? PainKernelsLoops.FREE : PainKernelsLoops.BOUND,
                    colour -> isFree(colour, classes)
                            ? new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()), shortest,
                                longest, wave}
                            : new LoopArgument[]{positions.at(colour.own(), 0), positions.at(colour.around()),
                                tangents.at(colour.own(), 0), shortest, longest, wave});
            done = true;
        } finally {
            if (!done) {
                mesh.close();
            }
        }
    }

    private static boolean isFree(ColourSweep.ColourSet colour, int[] classes) {
        return classes[colour.own().toArray()[0]] == 0;
    }

    /**
     * Returns the number of colours, of free and bound vertices together.
     *
     * @return at least 1
     */
    public int colours() {
        return colours;
    }

    /**
     * Moves all vertices.
     *
     * @param sweeps how often
     */
    public void run(int sweeps) {
        for (int i = 0; i < sweeps; i++) {
            sweep.run();
        }
    }

    /**
     * Returns where the vertices are.
     *
     * @return two coordinates for each
     */
    public double[] coordinates() {
        return positions.toArray();
    }

    @Override
    public void close() {
        mesh.close();
    }

    /**
     * What surrounds each vertex.
     *
     * @param offsets    where its neighbours start
     * @param neighbours the neighbours
     * @param classes    0 for free, 1 for bound to a line or fixed
     * @param tangents   the directions of lines, zero for corners
     */
    private record Surroundings(int[] offsets, int[] neighbours, int[] classes, double[] tangents) {
        static Surroundings of(SimplexMesh simplices) {
            try (Team team = new Team(1)) {
                CavityMesh cavities = new CavityMesh(simplices, AnalyticMetrics.uniform(2, 1), team);
                Mobility mobility = new Mobility(cavities, team);
                Cavity cavity = new Cavity(cavities);
                int n = cavities.vertices;
                int[] offsets = new int[n + 1];
                int[] neighbours = new int[2 * cavities.elements * cavities.width];
                int[] classes = new int[n];
                double[] tangents = new double[2 * n];
                for (int v = 0; v < n; v++) {
                    cavity.collectNeighbours(v);
                    System.arraycopy(cavity.vertices, 0, neighbours, offsets[v], cavity.vertexCount);
                    offsets[v + 1] = offsets[v] + cavity.vertexCount;
                    classes[v] = mobility.freedom(v) == 2 ? 0 : 1;
                    for (int k = 0; k < 2 && mobility.freedom(v) == 1; k++) {
                        tangents[2 * v + k] = mobility.direction(v, 0, k);
                    }
                }
                return new Surroundings(offsets, Arrays.copyOf(neighbours, offsets[n]), classes, tangents);
            }
        }
    }
}
