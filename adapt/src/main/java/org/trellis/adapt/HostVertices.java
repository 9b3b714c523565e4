package org.trellis.adapt;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.Precision;
import org.trellis.common.Predicates;
import org.trellis.mesh.ColourSweep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/**
 * The vertices of a sweep by loops that slide along curves and surfaces whose nearest points only code of the host can
 * find: splines, surfaces by normals, a program's own. Loops leave them where they are. When those of a colour are
 * done, the host moves its vertices of the colour as {@link Smoothing} does. For that a loop copies positions and
 * metric of these vertices and their neighbours into dats of their own, which the host reads, and another one puts
 * back what the host has moved; so what goes to and fro is proportional to the curves and not to the mesh.
 */
final class HostVertices {
    private static final int GRAIN = 64;

    private final CavityMesh mesh;
    private final Team team;
    private final SweepCavities cavities;
    private final boolean single;
    private final Mobility mobility;
    private final VertexGraph graph;
    /** What the host does after each colour; null where it has no vertices. */
    private final Stage[] stages;
    private long fetched;
    private long sent;

    /**
     * Declares the loops.
     *
     * @param mesh      the mesh on the host, with the topology of the surroundings
     * @param team      who moves vertices
     * @param cavities  the surroundings
     * @param loops     the loops of the other vertices
     * @param precision of positions and metric there
     */
    HostVertices(CavityMesh mesh, Team team, SweepCavities cavities, SweepLoops loops, Precision precision) {
        this.mesh = mesh;
        this.team = team;
        this.cavities = cavities;
        single = precision == Precision.F32;
        mobility = new Mobility(mesh, team);
        graph = new VertexGraph(mesh, team);
        boolean[] isHost = new boolean[cavities.order().length];
        for (int v : cavities.host()) {
            isHost[v] = true;
        }
        stages = new Stage[loops.colours()];
        int[] seen = new int[isHost.length];
        for (int c = 0; c < stages.length; c++) {
            ColourSweep.ColourSet colour = loops.colour(c);
            int[] own = Arrays.stream(colour.members()).filter(v -> isHost[v]).toArray();
            if (own.length > 0) {
                stages[c] = new Stage(loops, precision, colour.set().name(), own, shore(own, seen, c + 1));
            }
        }
    }

    /** Lists vertices and their neighbours, each once. */
    private int[] shore(int[] own, int[] seen, int mark) {
        int[] found = new int[own.length];
        int count = 0;
        for (int v : own) {
            for (int p = cavities.offsets()[v] - 1; p < cavities.offsets()[v + 1]; p++) {
                int next = p < cavities.offsets()[v] ? v : cavities.neighbours()[p];
                if (seen[next] != mark) {
                    seen[next] = mark;
                    found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                    found[count++] = next;
                }
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Returns whether the host has vertices of a colour. */
    boolean has(int colour) {
        return stages[colour] != null;
    }

    /** Returns the loop that copies what the host needs to move its vertices of a colour. */
    ParallelLoop take(int colour) {
        return stages[colour].take;
    }

    /** Returns the loop that puts the host's vertices of a colour back. */
    ParallelLoop put(int colour) {
        return stages[colour].put;
    }

    /**
     * Moves the host's vertices of a colour.
     *
     * @param colour the colour
     * @param method where to
     * @param smart  whether the worst element around must become better
     * @param gain   by how much at least, if it must
     * @return how many have moved
     */
    int move(int colour, SmoothingMethod method, boolean smart, double gain) {
        Stage stage = stages[colour];
        stage.fetch();
        AtomicInteger moved = new AtomicInteger();
        int[] vertices = stage.vertices;
        team.run(vertices.length, GRAIN, () -> new VertexSmoother(mesh, mobility, graph), (from, to, smoother) -> {
            int count = 0;
            for (int i = from; i < to; i++) {
                count += move(vertices[i], smoother, method, smart, gain) ? 1 : 0;
            }
            moved.addAndGet(count);
        });
        stage.send();
        return moved.get();
    }

    private boolean move(int vertex, VertexSmoother smoother, SmoothingMethod method, boolean smart, double gain) {
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            int element = mesh.stars[vertex][i];
            mesh.quality[element] = mesh.qualityOf(mesh.corners, element * mesh.width);
        }
        int d = mesh.dimension;
        double[] before = Arrays.copyOfRange(mesh.coordinates, d * vertex, d * vertex + d);
        if (!smoother.smooth(vertex, method, smart, gain)) {
            return false;
        }
        if (single && isFlatWhenRounded(vertex)) {
            System.arraycopy(before, 0, mesh.coordinates, d * vertex, d);
            mesh.source.at(mesh.coordinates, d * vertex, mesh.metric, mesh.tensorSize * vertex);
            return false;
        }
        return true;
    }

    /** Rounds a vertex to single precision, as it will be where loops run; returns whether an element is flat then. */
    private boolean isFlatWhenRounded(int vertex) {
        for (int k = mesh.dimension * vertex; k < mesh.dimension * (vertex + 1); k++) {
            mesh.coordinates[k] = (float) mesh.coordinates[k];
        }
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            if (Predicates.orientation(mesh.dimension, mesh.coordinates, mesh.corners,
                    mesh.stars[vertex][i] * mesh.width) <= 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many bytes have been taken since this was last asked. */
    long takeFetched() {
        long all = fetched;
        fetched = 0;
        return all;
    }

    /** Returns how many bytes have been put back since this was last asked. */
    long takeSent() {
        long all = sent;
        sent = 0;
        return all;
    }

    /** The host's vertices of a colour. */
    private final class Stage {
        /** Numbers in the mesh of the vertices that move, and of those and their neighbours. */
        private final int[] vertices;
        private final int[] shore;
        private final Dat shorePositions;
        private final Dat shoreTensors;
        private final Dat positions;
        private final Dat tensors;
        private final ParallelLoop take;
        private final ParallelLoop put;

        Stage(SweepLoops loops, Precision precision, String name, int[] own, int[] around) {
            vertices = inMesh(own);
            shore = inMesh(around);
            Mesh runtime = loops.vertices().mesh();
            MeshSet moving = runtime.set(name + "-host", own.length);
            MeshSet region = runtime.set(name + "-shore", around.length);
            MeshMap toOwn = runtime.map(name + "-of-host", moving, loops.vertices(), 1, own);
            MeshMap toShore = runtime.map(name + "-of-shore", region, loops.vertices(), 1, around);
            positions = runtime.dat(name + "-host-positions", moving, mesh.dimension, precision);
            tensors = runtime.dat(name + "-host-metric", moving, mesh.tensorSize, precision);
            shorePositions = runtime.dat(name + "-shore-positions", region, mesh.dimension, precision);
            shoreTensors = runtime.dat(name + "-shore-metric", region, mesh.tensorSize, precision);
            boolean plane = mesh.dimension == 2;
            take = runtime.loop(plane ? HostVertexKernelsLoops.PLANE : HostVertexKernelsLoops.SPACE, region,
                    loops.positions().at(toShore, 0), loops.tensors().at(toShore, 0), shorePositions, shoreTensors);
            put = runtime.loop(plane ? HostVertexKernelsLoops.PLANE : HostVertexKernelsLoops.SPACE, moving, positions,
                    tensors,
                    loops.positions().at(toOwn, 0), loops.tensors().at(toOwn, 0));
        }

        private int[] inMesh(int[] numbers) {
            return Arrays.stream(numbers).map(i -> cavities.order()[i]).toArray();
        }

        void fetch() {
            double[] x = shorePositions.toArray();
            double[] m = shoreTensors.toArray();
            for (int i = 0; i < shore.length; i++) {
                System.arraycopy(x, mesh.dimension * i, mesh.coordinates, mesh.dimension * shore[i], mesh.dimension);
                System.arraycopy(m, mesh.tensorSize * i, mesh.metric, mesh.tensorSize * shore[i], mesh.tensorSize);
            }
            fetched += (long) Double.BYTES * (x.length + m.length);
        }

        void send() {
            double[] x = new double[mesh.dimension * vertices.length];
            double[] m = new double[mesh.tensorSize * vertices.length];
            for (int i = 0; i < vertices.length; i++) {
                System.arraycopy(mesh.coordinates, mesh.dimension * vertices[i], x, mesh.dimension * i,
                        mesh.dimension);
                System.arraycopy(mesh.metric, mesh.tensorSize * vertices[i], m, mesh.tensorSize * i, mesh.tensorSize);
            }
            positions.setAll(x);
            tensors.setAll(m);
            sent += (long) Double.BYTES * (x.length + m.length);
        }
    }
}
