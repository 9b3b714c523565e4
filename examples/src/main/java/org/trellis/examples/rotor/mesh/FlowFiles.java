package org.trellis.examples.rotor.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;

/**
 * Meshes of tetrahedra, pyramids, prisms and hexahedra from files, whose triangles and quadrilaterals on the boundary
 * belong to groups with names: {@code slip} or {@code symmetry}, {@code wall} or {@code no-slip}, {@code inlet},
 * {@code outlet}, {@code far}; anything that is no letter may follow, as in {@code wall-2}. Two groups may be
 * {@code periodic}, whose nodes lie on each other when one is shifted or turned about the x axis.
 */
public final class FlowFiles {
    private static final int SPACE = HybridMesh.SPACE;
    private static final Map<String, Patch> NAMES = Map.of("slip", Patch.SLIP, "symmetry", Patch.SLIP, "wall",
            Patch.NO_SLIP, "no-slip", Patch.NO_SLIP, "inlet", Patch.INLET, "outlet", Patch.OUTLET, "far", Patch.FAR,
            "periodic", Patch.PERIODIC);
    private static final String EXPECTED = "expected slip, symmetry, wall, no-slip, inlet, outlet, far or periodic,"
            + " perhaps with more behind it, as in wall-2";

    private final MeshData data;
    private final int[] number;
    private final double[] points;
    private final Map<CellKind, int[]> cells = new EnumMap<>(CellKind.class);
    /** The faces that one cell has, by their corners in order; seen from outside. */
    private final Map<List<Integer>, int[]> outer = new HashMap<>();
    /** The faces of each periodic group, by its name. */
    private final Map<String, List<int[]>> sides = new TreeMap<>();

    private FlowFiles(MeshData data) {
        this.data = data;
        if (data.dimensions() != SPACE) {
            throw new IllegalArgumentException("points have " + data.dimensions() + " coordinates, expected 3");
        }
        number = new int[data.pointCount()];
        points = compact();
        for (CellKind kind : CellKind.values()) {
            cells.put(kind, cells(kind));
            addFaces(kind);
        }
    }

    /**
     * Says whether a text is the name of a mesh file, by its ending.
     *
     * @param text a mesh as users name it
     * @return true if it is
     */
    public static boolean isFile(String text) {
        return !text.contains(":") && MeshFiles.hasMeshName(Path.of(text));
    }

    /**
     * Reads a mesh, and makes coarser levels by joining volumes.
     *
     * @param file   a file that {@link MeshFiles} reads, with groups on the boundary, such as Gmsh's
     * @param levels how many meshes, at least 1
     * @return the meshes
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException if the mesh is not one in space, a face of its boundary has no group or one
     *                                  whose name says nothing, cells are of second order or turned inside out, or
     *                                  there are too many levels
     */
    public static FlowMesh read(Path file, int levels) throws IOException {
        return of(file.getFileName().toString(), MeshFiles.read(file), levels);
    }

    /**
     * Makes the levels of a mesh that has been read.
     *
     * @param name   what it is called
     * @param data   points, cells and groups
     * @param levels how many meshes, at least 1
     * @return the meshes
     * @throws IllegalArgumentException as of {@link #read}
     */
    public static FlowMesh of(String name, MeshData data, int levels) {
        try {
            FlowFiles read = new FlowFiles(data);
            HybridMesh mesh = read.mesh();
            return FlowMesh.agglomerated(name, mesh, read.periodic(), levels);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("mesh " + name + ": " + e.getMessage(), e);
        }
    }

    private static CellShape[] shapes() {
        return Arrays.stream(CellKind.values()).map(CellKind::shape).toArray(CellShape[]::new);
    }

    private List<CellBlock> blocks(CellShape... shapes) {
        return data.blocks().stream().filter(block -> Arrays.asList(shapes).contains(block.shape())).toList();
    }

    /** Numbers the points that cells have, in their order: files may have others, such as the centres of arcs. */
    private double[] compact() {
        for (CellBlock block : blocks(shapes())) {
            for (int node : block.nodes()) {
                number[node] = 1;
            }
        }
        double[] used = new double[SPACE * Arrays.stream(number).sum()];
        if (used.length == 0) {
            throw new IllegalArgumentException(
                    "there are no cells, expected tetrahedra, pyramids, prisms or hexahedra");
        }
        int next = 0;
        for (int node = 0; node < number.length; node++) {
            if (number[node] > 0) {
                System.arraycopy(data.points(), SPACE * node, used, SPACE * next, SPACE);
                number[node] = next++;
            } else {
                number[node] = -1;
            }
        }
        return used;
    }

    /** The corners of the cells of a kind, in turn as that kind has them, whichever way the file turns them. */
    private int[] cells(CellKind kind) {
        Lattice.Ints all = new Lattice.Ints();
        for (CellBlock block : blocks(kind.shape())) {
            if (block.nodesPerCell() != kind.corners()) {
                throw new IllegalArgumentException("cells of shape " + kind.shape() + " have " + block.nodesPerCell()
                        + " nodes, expected " + kind.corners() + ": meshes are of first order");
            }
            for (int at = 0; at < block.nodes().length; at += kind.corners()) {
                int[] cell = new int[kind.corners()];
                for (int k = 0; k < cell.length; k++) {
                    cell[k] = number[block.nodes()[at + k]];
                }
                all.add(volume(kind, cell) > 0 ? cell : turned(kind, cell));
            }
        }
        return all.toArray();
    }

    /** Three times the volume, by the pyramids over the faces. */
    private double volume(CellKind kind, int[] cell) {
        double sum = 0;
        for (int[] local : kind.faces()) {
            double[][] x = new double[local.length][SPACE];
            for (int k = 0; k < local.length; k++) {
                for (int d = 0; d < SPACE; d++) {
                    x[k][d] = points[SPACE * cell[local[k]] + d] - points[SPACE * cell[0] + d];
                }
            }
            for (int k = 2; k < local.length; k++) {
                double[] normal = MedianDual.halfCross(x[0], x[k - 1], x[k]);
                for (int d = 0; d < SPACE; d++) {
                    sum += normal[d] * x[0][d];
                }
            }
        }
        return sum;
    }

    private static int[] turned(CellKind kind, int[] c) {
        return switch (kind) {
            case TETRAHEDRON -> new int[]{c[0], c[2], c[1], c[3]};
            case PYRAMID -> new int[]{c[0], c[3], c[2], c[1], c[4]};
            case PRISM -> new int[]{c[0], c[2], c[1], c[3], c[5], c[4]};
            case HEXAHEDRON -> new int[]{c[0], c[3], c[2], c[1], c[4], c[7], c[6], c[5]};
        };
    }

    private static List<Integer> key(int[] face) {
        return Arrays.stream(face).sorted().boxed().toList();
    }

    private void addFaces(CellKind kind) {
        int[] nodes = cells.get(kind);
        for (int at = 0; at < nodes.length; at += kind.corners()) {
            for (int[] local : kind.faces()) {
                int[] face = new int[local.length];
                for (int k = 0; k < face.length; k++) {
                    face[k] = nodes[at + local[k]];
                }
                if (outer.remove(key(face)) == null) {
                    outer.put(key(face), face);
                }
            }
        }
    }

    private HybridMesh mesh() {
        Map<List<Integer>, CellGroup> told = told();
        Lattice.Ints faces = new Lattice.Ints();
        List<Patch> patches = new ArrayList<>();
        // In the order of the cells, so that the mesh does not depend on how the map lies in memory.
        outer.values().stream().sorted((a, b) -> Arrays.compare(a, b)).forEach(face -> {
            CellGroup group = told.remove(key(face));
            if (group == null) {
                throw new IllegalArgumentException("a face of the boundary at " + place(face)
                        + " has no name, expected triangles and quadrilaterals in named groups on all of it");
            }
            faces.add(face.length > SPACE ? face : new int[]{face[0], face[1], face[2], -1});
            patches.add(patch(group.name()));
            if (patches.getLast() == Patch.PERIODIC) {
                sides.computeIfAbsent(group.name(), name -> new ArrayList<>()).add(face);
            }
        });
        if (!told.isEmpty()) {
            int[] face = told.keySet().iterator().next().stream().mapToInt(Integer::intValue).toArray();
            throw new IllegalArgumentException("the named face at " + place(face)
                    + " lies inside or is no face of a cell, expected faces of the boundary");
        }
        return new HybridMesh(points, cells, faces.toArray(), patches);
    }

    /** How periodic sides lie on each other; moves nodes of the second by rounding. */
    private PeriodicSides periodic() {
        List<String> names = List.copyOf(sides.keySet());
        if (names.isEmpty()) {
            return PeriodicSides.none();
        }
        if (names.size() != 2) {
            throw new IllegalArgumentException("there are " + names.size() + " groups of periodic faces, " + names
                    + ", expected two, or none");
        }
        return PeriodicSides.of(names, sides.get(names.get(0)), sides.get(names.get(1)), points);
    }

    /** What the file says of faces. */
    private Map<List<Integer>, CellGroup> told() {
        DataArray tags = data.cellArray(MeshData.PHYSICAL).orElseThrow(() -> new IllegalArgumentException(
                "there are no named groups, " + EXPECTED));
        Map<Integer, CellGroup> groups = new HashMap<>();
        for (CellGroup group : data.groups()) {
            if (group.dimension() == 2) {
                patch(group.name());
                groups.put(group.tag(), group);
            }
        }
        Map<List<Integer>, CellGroup> told = new HashMap<>();
        for (CellBlock block : blocks(CellShape.TRIANGLE, CellShape.QUADRILATERAL)) {
            int corners = block.shape().leastNodes();
            for (int i = 0; i < block.cells(); i++) {
                int[] face = new int[corners];
                for (int k = 0; k < corners; k++) {
                    face[k] = number[block.nodes()[i * block.nodesPerCell() + k]];
                }
                CellGroup group = groups.get((int) tags.values()[block.numbers()[i]]);
                if (group != null) {
                    told.put(key(face), group);
                }
            }
        }
        return told;
    }

    private static Patch patch(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
        for (Map.Entry<String, Patch> known : NAMES.entrySet()) {
            int end = known.getKey().length();
            if (lower.startsWith(known.getKey()) && (lower.length() == end || !Character.isLetter(lower.charAt(end)))) {
                return known.getValue();
            }
        }
        throw new IllegalArgumentException("the group '" + name + "' of faces is unknown, " + EXPECTED);
    }

    private String place(int[] face) {
        double[] middle = new double[SPACE];
        for (int node : face) {
            for (int d = 0; d < SPACE && node >= 0; d++) {
                middle[d] += points[SPACE * node + d] / face.length;
            }
        }
        return String.format(Locale.ROOT, "(%.4g, %.4g, %.4g)", middle[0], middle[1], middle[2]);
    }
}
