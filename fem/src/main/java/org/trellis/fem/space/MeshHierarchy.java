package org.trellis.fem.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;

/**
 * A mesh and finer ones, in each of which every cell of the one before is cut into 2<sup>d</sup> of half its size:
 * squares and cubes along their middles, triangles into four that look like them, tetrahedra into eight (J. Bey,
 * Tetrahedral grid refinement, Computing 55, 1995, 355-378), whose angles stay bounded however often it is done. Child
 * k of cell c is cell {@code c * children + k} of the next mesh.
 */
public final class MeshHierarchy {
    /** Corners and middles of edges by their two ends; the diagonal inside is between those of 0-2 and 1-3. */
    private static final int[][][] TETRAHEDRA = {
        {{0, 0}, {0, 1}, {0, 2}, {0, 3}}, {{0, 1}, {1, 1}, {1, 2}, {1, 3}}, {{0, 2}, {1, 2}, {2, 2}, {2, 3}},
        {{0, 3}, {1, 3}, {2, 3}, {3, 3}}, {{0, 1}, {0, 2}, {0, 3}, {1, 3}}, {{0, 1}, {0, 2}, {1, 2}, {1, 3}},
        {{0, 2}, {0, 3}, {1, 3}, {2, 3}}, {{0, 2}, {1, 2}, {1, 3}, {2, 3}}};
    private static final int[][][] TRIANGLES = {
        {{0, 0}, {0, 1}, {0, 2}}, {{0, 1}, {1, 1}, {1, 2}}, {{0, 2}, {1, 2}, {2, 2}}, {{0, 1}, {1, 2}, {0, 2}}};

    private final List<CellMesh> meshes;

    private MeshHierarchy(List<CellMesh> meshes) {
        this.meshes = List.copyOf(meshes);
    }

    /**
     * Refines a mesh. New corners lie where the map of the coarse cell puts them, so that meshes are nested exactly.
     *
     * @param coarse a mesh of straight cells
     * @param times  how often, at least 0
     * @return the mesh and its refinements
     * @throws IllegalArgumentException if the mesh is curved, the number is negative, or there would be too many cells
     */
    public static MeshHierarchy of(CellMesh coarse, int times) {
        if (coarse.geometry().degree() > 1) {
            throw new IllegalArgumentException("refinement of " + coarse + " with maps of degree "
                    + coarse.geometry().degree() + ", expected straight cells");
        }
        Checks.notNegative("number of refinements", times);
        List<CellMesh> meshes = new ArrayList<>(List.of(coarse));
        for (int k = 0; k < times; k++) {
            meshes.add(refined(meshes.getLast()));
        }
        return new MeshHierarchy(meshes);
    }

    /**
     * Moves the corners of all meshes. Cells are children as before, but no longer exact parts of their parents.
     *
     * @param move gives each corner its place; is given an array of its own
     * @return the moved meshes
     * @throws IllegalArgumentException if a cell is inverted after the move
     */
    public MeshHierarchy moved(UnaryOperator<double[]> move) {
        return new MeshHierarchy(meshes.stream().map(mesh -> {
            int dimension = mesh.dimension();
            double[] x = new double[mesh.vertexCoordinates().length];
            for (int k = 0; k < x.length; k += dimension) {
                System.arraycopy(move.apply(Arrays.copyOfRange(mesh.vertexCoordinates(), k, k + dimension)), 0, x, k,
                        dimension);
            }
            return CellMesh.of(mesh.shape(), x, mesh.cellVertices());
        }).toList());
    }

    private static CellMesh refined(CellMesh mesh) {
        ElementShape shape = mesh.shape();
        int[][][] children = children(shape);
        LagrangeElement middles = LagrangeElement.of(shape, 2, NodeFamily.EQUISPACED);
        FunctionSpace points = FunctionSpace.of(mesh, middles);
        int corners = shape.corners();
        int[] cells = new int[Checks.arrayLength("corners of refined cells",
                (long) mesh.cells() * children.length * corners)];
        for (int k = 0; k < children.length; k++) {
            for (int c = 0; c < corners; c++) {
                int node = node(middles, children[k][c]);
                for (int cell = 0; cell < mesh.cells(); cell++) {
                    cells[(cell * children.length + k) * corners + c] =
                            points.cellNodes()[cell * middles.nodes() + node];
                }
            }
        }
        return CellMesh.of(shape, points.coordinates(), cells);
    }

    private static int node(LagrangeElement middles, int... place) {
        return IntStream.range(0, middles.nodes())
                .filter(node -> IntStream.range(0, place.length).allMatch(d -> middles.lattice(node, d) == place[d]))
                .findFirst().orElseThrow();
    }

    /** Corners of the children of the reference cell, in halves. */
    private static int[][][] children(ElementShape shape) {
        int dimension = shape.dimension();
        int count = 1 << dimension;
        int[][][] children = new int[count][shape.corners()][dimension];
        for (int k = 0; k < count; k++) {
            for (int c = 0; c < shape.corners(); c++) {
                for (int d = 0; d < dimension; d++) {
                    int[] ends = shape.isTensor() ? null : (dimension == 2 ? TRIANGLES : TETRAHEDRA)[k][c];
                    children[k][c][d] = ends == null
                            ? (k >> d & 1) + shape.corner(c, d)
                            : shape.corner(ends[0], d) + shape.corner(ends[1], d);
                }
            }
            if (shape == ElementShape.TETRAHEDRON && volume(children[k]) < 0) {
                // Of the swaps that turn a tetrahedron over, this one leaves its diagonal where it is.
                int[] one = children[k][1];
                children[k][1] = children[k][3];
                children[k][3] = one;
            }
        }
        return children;
    }

    private static int volume(int[]... corners) {
        int[][] e = new int[3][3];
        for (int a = 0; a < 3; a++) {
            for (int d = 0; d < 3; d++) {
                e[a][d] = corners[a + 1][d] - corners[0][d];
            }
        }
        return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0])
                + e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    }

    /**
     * Returns where points of the children of a cell lie in it.
     *
     * @param shape  of the cells
     * @param points points of the reference cell, as many coordinates each as it has directions
     * @return the points of the first child in the reference cell of its parent, then those of the second, and so on
     */
    public static double[] inParent(ElementShape shape, double... points) {
        int dimension = shape.dimension();
        LagrangeElement.Tabulation map = LagrangeElement.of(shape, 1, NodeFamily.EQUISPACED).tabulate(points);
        LagrangeElement linear = LagrangeElement.of(shape, 1, NodeFamily.EQUISPACED);
        int[][][] children = children(shape);
        double[] places = new double[children.length * points.length];
        for (int k = 0; k < children.length; k++) {
            for (int q = 0; q < map.points(); q++) {
                for (int c = 0; c < shape.corners(); c++) {
                    double value = map.values()[q * map.functions() + linear.cornerNode(c)];
                    for (int d = 0; d < dimension; d++) {
                        places[(k * map.points() + q) * dimension + d] += 0.5 * value * children[k][c][d];
                    }
                }
            }
        }
        return places;
    }

    /**
     * Returns the meshes.
     *
     * @return the coarsest first
     */
    public List<CellMesh> meshes() {
        return meshes;
    }

    /**
     * Returns the finest mesh.
     *
     * @return the last one
     */
    public CellMesh finest() {
        return meshes.getLast();
    }

    @Override
    public String toString() {
        return meshes.size() + " meshes from " + meshes.getFirst() + " to " + meshes.getLast();
    }
}
