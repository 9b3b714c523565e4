package org.trellis.examples.tsunami;

import java.util.Arrays;
import java.util.function.Function;
import org.trellis.adapt.AdaptOptions;
import org.trellis.adapt.Adaptation;
import org.trellis.adapt.FieldTransfer;
import org.trellis.adapt.SmoothingMethod;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.common.ProgressListener;

/**
 * The mesh that follows the water. Dry cells, cells with less than the minimum depth, and cells under water are regions
 * of their own, whose boundaries adaptation keeps; and cells take their values from cells of the same region only. So
 * level and bed are never averaged across a shore: land stays dry, and where the level is the same everywhere it stays
 * the same to the last bit. Projection of level and bed with the same weights keeps the volume and no depth becomes
 * negative but for rounding.
 */
final class SeaAdaptation {
    private static final int STATE = 4;
    private static final int BED = 3;
    private static final int CORNERS = 3;
    private static final int SWEEPS = 3;
    private static final int FIRST_ROUNDS = 3;

    private final SeaAdaptOptions.Plan plan;
    private final Settings settings;
    private final SimplexMesh bedMesh;
    private final double[] bedNodes;
    private MeshTopology topology;
    private int adaptations;
    private double volumeChange;
    private double seconds;

    /**
     * Begins with a mesh.
     *
     * @param start    the mesh
     * @param plan     how to adapt
     * @param settings minimum depth and sea level
     */
    SeaAdaptation(MeshTopology start, SeaAdaptOptions.Plan plan, Settings settings) {
        this.plan = plan;
        this.settings = settings;
        topology = start;
        int[] used = usedNodes(start);
        bedNodes = Arrays.stream(used).mapToDouble(node -> start.mesh().bed()[node]).toArray();
        bedMesh = simplices(start, new int[start.cells()]);
    }

    /** Adapts to the water at the beginning, again as the new mesh has it; returns the water on the last mesh. */
    double[] begin(Function<MeshTopology, double[]> initial) {
        double[] state = initial.apply(topology);
        for (int round = 0; round < FIRST_ROUNDS; round++) {
            adapted(state);
            state = initial.apply(topology);
        }
        return state;
    }

    /** Says whether it is time to adapt after a step. */
    boolean isDue(int steps) {
        return steps % plan.every() == 0;
    }

    /**
     * Adapts the mesh to the water and carries it over.
     *
     * @param solver the water; its mesh changes
     */
    void adapt(TsunamiSolver solver) {
        long start = System.nanoTime();
        double[] state = solver.state().toArray();
        double before = volume(topology, state);
        FieldTransfer transfer = adapted(state);
        double[] carried = carry(transfer, state, STATE);
        double[] crest = carry(transfer, solver.crest().toArray(), 1);
        volumeChange = Math.max(volumeChange, Math.abs(volume(topology, carried) - before) / before);
        solver.change(topology, carried, crest);
        adaptations++;
        seconds += 1e-9 * (System.nanoTime() - start);
    }

    private double[] carry(FieldTransfer transfer, double[] values, int components) {
        return plan.projects()
                ? transfer.projectElements(values, components)
                : transfer.sampleElements(values, components);
    }

    private static double volume(MeshTopology mesh, double[] state) {
        double sum = 0;
        for (int cell = 0; cell < mesh.cells(); cell++) {
            sum += mesh.areas()[cell] * (state[STATE * cell] - state[STATE * cell + BED]);
        }
        return sum;
    }

    /** Replaces the mesh; returns how to carry values of cells over. */
    private FieldTransfer adapted(double[] state) {
        SimplexMesh old = simplices(topology, regions(state));
        SimplexMesh next = new Adaptation(old, new SeaMetric(old, plan, settings).of(state),
                AdaptOptions.DEFAULT.withSweeps(SWEEPS)
                        .withSmoothing(SmoothingMethod.METRIC_LAPLACIAN, true, 0).withThreads(plan.threads()),
                ProgressListener.NONE).run().mesh();
        topology = MeshTopology.of(triangles(next));
        return FieldTransfer.between(old, next);
    }

    private int[] regions(double[] state) {
        int[] regions = new int[state.length / STATE];
        Arrays.setAll(regions, cell -> {
            double depth = state[STATE * cell] - state[STATE * cell + BED];
            return depth > settings.minimumDepth() ? 2 : depth > 0 ? 1 : 0;
        });
        return regions;
    }

    private static int[] usedNodes(MeshTopology topology) {
        return Arrays.stream(topology.cellNodes()).sorted().distinct().toArray();
    }

    /** The mesh without nodes that no cell has; edges of the boundary that are no walls have their kinds as tags. */
    private static SimplexMesh simplices(MeshTopology topology, int[] regions) {
        TriangleMesh mesh = topology.mesh();
        int[] used = usedNodes(topology);
        int[] places = new int[mesh.nodes()];
        double[] x = new double[2 * used.length];
        for (int i = 0; i < used.length; i++) {
            places[used[i]] = i;
            x[2 * i] = mesh.x(used[i]);
            x[2 * i + 1] = mesh.y(used[i]);
        }
        return SimplexMesh.of(2, x, Arrays.stream(topology.cellNodes()).map(node -> places[node]).toArray(), regions,
                Arrays.stream(mesh.boundaryNodes()).map(node -> places[node]).toArray(), mesh.boundaryKinds());
    }

    private TriangleMesh triangles(SimplexMesh mesh) {
        int[] marked = new int[mesh.patches().length];
        int count = 0;
        for (int side = 0; side < mesh.patches().length; side++) {
            if (mesh.patchTags()[mesh.patches()[side]] != 0) {
                marked[count++] = side;
            }
        }
        int[] nodes = new int[2 * count];
        int[] kinds = new int[count];
        int[] ends = new int[2];
        for (int i = 0; i < count; i++) {
            mesh.facet(marked[i] / CORNERS, marked[i] % CORNERS, ends);
            System.arraycopy(ends, 0, nodes, 2 * i, 2);
            kinds[i] = mesh.patchTags()[mesh.patches()[marked[i]]];
        }
        return new TriangleMesh(mesh.coordinates(), FieldTransfer.between(bedMesh, mesh).interpolate(bedNodes, 1),
                mesh.corners(), nodes, kinds);
    }

    MeshTopology topology() {
        return topology;
    }

    /** How often the mesh has changed since the first step. */
    int adaptations() {
        return adaptations;
    }

    /** The greatest change of the volume by an adaptation, as a share of it, before the state is rounded. */
    double volumeChange() {
        return volumeChange;
    }

    double seconds() {
        return seconds;
    }
}
