package org.trellis.examples.rotor.solver;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.trellis.common.Precision;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.MedianDual;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.mesh.SlipWalls;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/** Sets, maps and data of one level. */
final class LevelData {
    private final Mesh mesh;
    private final int index;
    private final Precision precision;
    private final MeshSet nodes;
    private final MeshSet edges;
    private final MeshSet pairs;
    private final MeshMap edgeNodes;
    private final MeshMap pairNodes;
    private final MeshMap neighbours;
    private final Sliding sliding;
    private final Map<Patch, Part> parts = new EnumMap<>(Patch.class);
    private final Map<String, Dat> dats = new HashMap<>();

    /** The nodes on the boundary of one kind. */
    record Part(MeshSet set, MeshMap node, Dat normal, Dat sweep) {}

    /** The nodes on walls without friction, and in which directions they cannot go. */
    record Sliding(MeshSet set, MeshMap node, Dat walls) {}

    /**
     * Declares them.
     *
     * @param mesh       where they belong
     * @param geometry   the level's mesh
     * @param index      its number, for names
     * @param precision  of all data
     * @param walls      those without friction
     * @param neighbours whether nodes have to know their neighbours
     */
    LevelData(Mesh mesh, FlowMesh.Level geometry, int index, Precision precision, SlipWalls walls,
            boolean neighbours) {
        this.mesh = mesh;
        this.index = index;
        this.precision = precision;
        MedianDual dual = geometry.dual();
        int[] ends = dual.edges();
        nodes = mesh.set(named("nodes"), geometry.mesh().nodes());
        edges = mesh.set(named("edges"), ends.length / 2);
        edgeNodes = mesh.map(named("edge to nodes"), edges, nodes, 2, ends);
        boolean periodic = geometry.pairs().length > 0;
        pairs = periodic ? mesh.set(named("pairs"), geometry.pairs().length / 2) : null;
        pairNodes = periodic ? mesh.map(named("pair to nodes"), pairs, nodes, 2, geometry.pairs()) : null;
        this.neighbours = neighbours ? neighbours(ends, geometry.mesh().nodes()) : null;
        put("x", nodes, HybridMesh.SPACE, geometry.mesh().points());
        put("volume", nodes, 1, geometry.volumes());
        put("share", nodes, 1, geometry.shares());
        put("n", edges, HybridMesh.SPACE, dual.normals());
        put("sweep", edges, 1, dual.sweeps());
        for (Patch patch : Patch.values()) {
            MedianDual.Boundary boundary = dual.boundary(patch);
            if (patch != Patch.PERIODIC && boundary.nodes().length > 0) {
                String name = patch.name().toLowerCase(Locale.ROOT);
                MeshSet set = mesh.set(named(name), boundary.nodes().length);
                MeshMap node = mesh.map(named(name + " to node"), set, nodes, 1, boundary.nodes());
                parts.put(patch, new Part(set, node, put(name + " normal", set, HybridMesh.SPACE, boundary.normals()),
                        put(name + " sweep", set, 1, boundary.sweeps())));
            }
        }
        sliding = walls.nodes().length > 0 ? sliding(walls) : null;
        for (String state : new String[]{"q", "before", "w", "convection", "fresh", "frozen", "forcing", "r"}) {
            put(state, nodes, Gas.STATE, null);
        }
        put("speeds", nodes, 1, null);
        put("step", nodes, 1, null);
    }

    private Sliding sliding(SlipWalls walls) {
        MeshSet set = mesh.set(named("walls without friction"), walls.nodes().length);
        return new Sliding(set, mesh.map(named("those walls to node"), set, nodes, 1, walls.nodes()),
                put("directions of walls", set, SlipWalls.DIRECTIONS, walls.directions()));
    }

    private MeshMap neighbours(int[] ends, int count) {
        int[] offsets = new int[count + 1];
        for (int node : ends) {
            offsets[node + 1]++;
        }
        for (int node = 0; node < count; node++) {
            offsets[node + 1] += offsets[node];
        }
        int[] targets = new int[ends.length];
        int[] next = offsets.clone();
        for (int e = 0; e < ends.length; e += 2) {
            targets[next[ends[e]]++] = ends[e + 1];
            targets[next[ends[e + 1]]++] = ends[e];
        }
        return mesh.map(named("node to neighbours"), nodes, nodes, offsets, targets);
    }

    String named(String what) {
        return what + " " + index;
    }

    private Dat put(String name, MeshSet set, int components, double[] values) {
        Dat dat = values == null
                ? mesh.dat(named(name), set, components, precision)
                : mesh.dat(named(name), set, components, precision, values);
        dats.put(name, dat);
        return dat;
    }

    /** Returns a dat on nodes, declared now if there is none of that name. */
    Dat onNodes(String name, int components) {
        Dat there = dats.get(name);
        return there == null ? put(name, nodes, components, null) : there;
    }

    /** Returns one of the dats that there are from the beginning, or a name that was declared since. */
    Dat dat(String name) {
        Dat there = dats.get(name);
        if (there == null) {
            throw new IllegalArgumentException("level " + index + " has no data '" + name + "', expected one of "
                    + new TreeSet<>(dats.keySet()));
        }
        return there;
    }

    Mesh mesh() {
        return mesh;
    }

    int index() {
        return index;
    }

    Precision precision() {
        return precision;
    }

    MeshSet nodes() {
        return nodes;
    }

    MeshSet edges() {
        return edges;
    }

    boolean isPeriodic() {
        return pairs != null;
    }

    MeshSet pairs() {
        return pairs;
    }

    MeshMap edgeNodes() {
        return edgeNodes;
    }

    MeshMap pairNodes() {
        return pairNodes;
    }

    MeshMap neighbours() {
        return neighbours;
    }

    /** The nodes on walls without friction; null if the level has none. */
    Sliding sliding() {
        return sliding;
    }

    Map<Patch, Part> parts() {
        return parts;
    }
}
