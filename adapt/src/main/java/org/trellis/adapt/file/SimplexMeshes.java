package org.trellis.adapt.file;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.NumberType;

/**
 * Meshes of triangles or tetrahedra as adaptation has them, from and to those of files. The cells' physical tags, or
 * the attributes of Triangle's, become regions; those of lines (in the plane) and triangles (in space) become tags of
 * facets.
 */
public final class SimplexMeshes {
    private static final String QUALITY = "quality";
    /** Triangle's and TetGen's name of what Gmsh calls physical. */
    private static final String ATTRIBUTE = "attribute";

    private SimplexMeshes() {}

    /**
     * Takes the triangles of a plane mesh, or the tetrahedra of one in space. Points that none of them has are left
     * out, corners of inverted ones are exchanged, and points in the same place stay two: {@link MeshData#remarks} says
     * where there are such.
     *
     * @param file the mesh
     * @return its simplices; vertices are in the order of the points
     * @throws IllegalArgumentException if there are other cells of the same dimension, cells of higher order, or none
     *                                  at all
     */
    public static SimplexMesh of(MeshData file) {
        MeshData mesh = file.flattened();
        int d = mesh.dimensions();
        CellShape shape = d == 2 ? CellShape.TRIANGLE : CellShape.TETRAHEDRON;
        for (CellBlock block : mesh.blocks()) {
            if ((block.shape().dimension() == d && block.shape() != shape) || block.nodesPerCell() > d + 1) {
                throw new IllegalArgumentException("the mesh has " + block + ", expected "
                        + (d == 2 ? "triangles of 3 nodes" : "tetrahedra of 4 nodes"));
            }
        }
        CellBlock cells = block(mesh, shape).orElseThrow(() -> new IllegalArgumentException("the mesh has no "
                + (d == 2 ? "triangles in the plane" : "tetrahedra") + ", expected some to adapt"));
        int[] places = places(mesh, cells);
        int used = (int) Arrays.stream(places).filter(place -> place >= 0).count();
        double[] coordinates = new double[used * d];
        for (int point = 0; point < places.length; point++) {
            if (places[point] >= 0) {
                System.arraycopy(mesh.points(), point * d, coordinates, places[point] * d, d);
            }
        }
        Optional<CellBlock> facets = block(mesh, d == 2 ? CellShape.LINE : CellShape.TRIANGLE);
        int[] facetTags = facets.map(block -> tags(mesh, block)).orElse(new int[0]);
        int[] facetCorners = facets.map(block -> renumbered(block.nodes(), places)).orElse(new int[0]);
        return SimplexMesh.of(d, coordinates, renumbered(cells.nodes(), places), tags(mesh, cells), facetCorners,
                facetTags);
    }

    private static Optional<CellBlock> block(MeshData mesh, CellShape shape) {
        return mesh.blocks().stream().filter(block -> block.shape() == shape && block.cells() > 0).findFirst();
    }

    private static int[] places(MeshData mesh, CellBlock cells) {
        int[] places = new int[mesh.pointCount()];
        Arrays.fill(places, -1);
        for (int node : cells.nodes()) {
            places[node] = 0;
        }
        int next = 0;
        for (int point = 0; point < places.length; point++) {
            places[point] = places[point] < 0 ? -1 : next++;
        }
        return places;
    }

    private static int[] renumbered(int[] nodes, int[] places) {
        return Arrays.stream(nodes).map(node -> places[node]).toArray();
    }

    private static int[] tags(MeshData mesh, CellBlock block) {
        Optional<DataArray> physical = mesh.cellArray(MeshData.PHYSICAL).or(() -> mesh.cellArray(ATTRIBUTE));
        return Arrays.stream(block.numbers())
                .map(number -> physical.map(array -> (int) array.values()[number * array.components()]).orElse(0))
                .toArray();
    }

    /**
     * Takes the values that the points of a file have at the vertices of its simplices.
     *
     * @param file the mesh, of which {@link #of} has made one
     * @param name the name of point data
     * @return all components of each vertex, vertex after vertex
     * @throws IllegalArgumentException if there are no such data; lists those that there are
     */
    public static double[] pointValues(MeshData file, String name) {
        MeshData mesh = file.flattened();
        DataArray array = mesh.pointArray(name).orElseThrow(() -> new IllegalArgumentException(
                "the mesh has no point data '" + name + "', expected one of "
                        + mesh.pointData().stream().map(DataArray::name).toList()));
        CellBlock cells = block(mesh, mesh.dimensions() == 2 ? CellShape.TRIANGLE : CellShape.TETRAHEDRON)
                .orElseThrow(() -> new IllegalArgumentException("the mesh has no simplices"));
        int[] places = places(mesh, cells);
        int n = array.components();
        double[] values = new double[n * (int) Arrays.stream(places).filter(place -> place >= 0).count()];
        for (int point = 0; point < places.length; point++) {
            if (places[point] >= 0) {
                System.arraycopy(array.values(), point * n, values, places[point] * n, n);
            }
        }
        return values;
    }

    /**
     * Makes a mesh that can be written: simplices with their regions, facets that had tags, and data.
     *
     * @param mesh      the simplices
     * @param quality   the quality of each, or an empty array for none
     * @param pointData arrays with a value for each vertex
     * @return the mesh
     */
    public static MeshData toMeshData(SimplexMesh mesh, double[] quality, List<DataArray> pointData) {
        int d = mesh.dimension();
        int width = d + 1;
        int[] tagged = IntStream.range(0, mesh.patches().length).filter(i -> mesh.patches()[i] != 0
                && mesh.patchTags()[mesh.patches()[i]] != 0).toArray();
        double[] tags = new double[mesh.elements() + tagged.length];
        double[] qualities = new double[tags.length];
        int[] facets = new int[tagged.length * d];
        int[] facet = new int[d];
        for (int e = 0; e < mesh.elements(); e++) {
            tags[e] = mesh.regions()[e];
            qualities[e] = quality.length == 0 ? 0 : quality[e];
        }
        for (int f = 0; f < tagged.length; f++) {
            mesh.facet(tagged[f] / width, tagged[f] % width, facet);
            System.arraycopy(facet, 0, facets, f * d, d);
            tags[mesh.elements() + f] = mesh.patchTags()[mesh.patches()[tagged[f]]];
            qualities[mesh.elements() + f] = 1;
        }
        CellBlock cells = new CellBlock(d == 2 ? CellShape.TRIANGLE : CellShape.TETRAHEDRON, width, mesh.corners(),
                IntStream.range(0, mesh.elements()).toArray());
        CellBlock sides = new CellBlock(d == 2 ? CellShape.LINE : CellShape.TRIANGLE, d, facets,
                IntStream.range(mesh.elements(), tags.length).toArray());
        DataArray physical = new DataArray(MeshData.PHYSICAL, 1, NumberType.INT32, tags);
        return new MeshData(d, mesh.coordinates(), tagged.length == 0 ? List.of(cells) : List.of(cells, sides),
                pointData, quality.length == 0
                        ? List.of(physical)
                        : List.of(DataArray.of(QUALITY, 1, qualities), physical),
                List.of());
    }
}
