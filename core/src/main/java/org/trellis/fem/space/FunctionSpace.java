package org.trellis.fem.space;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;

/**
 * The continuous functions that are polynomials of a Lagrange element on each cell of a mesh. Nodes lie on corners,
 * edges, faces and in the insides of cells; those that cells share are one node, whatever the orientation of the cells:
 * along an edge nodes count from the end with the smaller number, on a face from the corner with the smallest number
 * towards its neighbour with the smaller one. Nodes are numbered as cells first touch them.
 */
public final class FunctionSpace {
    private final CellMesh mesh;
    private final LagrangeElement element;
    private final int[] cellNodes;
    private final int nodes;
    private final double[] coordinates;

    private FunctionSpace(CellMesh mesh, LagrangeElement element) {
        this.mesh = mesh;
        this.element = element;
        this.cellNodes = new Numbering().number();
        this.nodes = firstTouch(cellNodes);
        this.coordinates = new double[nodes * mesh.dimension()];
        place();
    }

    /**
     * Numbers the nodes of a space. Takes a sort of edges and faces.
     *
     * @param mesh    the mesh
     * @param element an element on cells of its shape
     * @return the space
     * @throws IllegalArgumentException if the element is of another shape, or there would be too many nodes
     */
    public static FunctionSpace of(CellMesh mesh, LagrangeElement element) {
        Objects.requireNonNull(element);
        if (mesh.shape() != element.shape()) {
            throw new IllegalArgumentException("space of " + element + " on " + mesh
                    + ", expected an element of the same shape");
        }
        return new FunctionSpace(mesh, element);
    }

    /**
     * Numbers the nodes of a space of the usual element of a degree.
     *
     * @param mesh   the mesh
     * @param degree the degree
     * @return the space
     * @throws IllegalArgumentException if the degree is out of range
     */
    public static FunctionSpace of(CellMesh mesh, int degree) {
        return of(mesh, LagrangeElement.of(mesh.shape(), degree));
    }

    /** Gives each node the number of its entity and its place on it. */
    private final class Numbering {
        private final ElementShape shape = mesh.shape();
        private final int degree = element.degree();
        private final int dimension = shape.dimension();
        private final int inEdge = degree - 1;
        private final int inFace = shape == ElementShape.TETRAHEDRON || shape == ElementShape.TRIANGLE
                ? (degree - 1) * (degree - 2) / 2
                : (degree - 1) * (degree - 1);
        private final long edgeBase = mesh.vertices();
        private final long faceBase = edgeBase + (long) mesh.edges().edgeCount() * inEdge;
        private final long cellBase =
                faceBase + (mesh.faces() == null ? 0 : (long) mesh.faces().count() * inFace);

        int[] number() {
            int n = element.nodes();
            int inCell = 0;
            int[][] entities = new int[n][];
            for (int i = 0; i < n; i++) {
                entities[i] = entity(i);
                inCell += entities[i].length == shape.corners() ? 1 : 0;
            }
            long total = cellBase + (long) mesh.cells() * inCell;
            if (total > Integer.MAX_VALUE - 8) {
                throw new IllegalArgumentException("space of " + element + " on " + mesh + " has " + total
                        + " nodes, expected at most " + (Integer.MAX_VALUE - 8));
            }
            int[] numbers = new int[mesh.cells() * n];
            for (int cell = 0; cell < mesh.cells(); cell++) {
                int inside = 0;
                for (int i = 0; i < n; i++) {
                    int[] corners = entities[i];
                    long number = corners.length == shape.corners()
                            ? cellBase + (long) cell * inCell + inside++
                            : numberOn(cell, i, corners);
                    numbers[cell * n + i] = (int) number;
                }
            }
            return numbers;
        }

        /** The corners of the smallest part of the cell that holds a node: those where a linear basis is not 0. */
        private int[] entity(int node) {
            return IntStream.range(0, shape.corners()).filter(corner -> {
                int sum = 0;
                boolean touches = true;
                for (int d = 0; d < dimension; d++) {
                    int x = element.lattice(node, d);
                    sum += x;
                    touches &= shape.isTensor()
                            ? shape.corner(corner, d) == 0 ? x < degree : x > 0
                            : shape.corner(corner, d) == 0 || x > 0;
                }
                return touches && (shape.isTensor() || corner > 0 || sum < degree);
            }).toArray();
        }

        private int vertex(int cell, int corner) {
            return mesh.cellVertices()[cell * shape.corners() + corner];
        }

        private long numberOn(int cell, int node, int... corners) {
            if (corners.length == 1) {
                return vertex(cell, corners[0]);
            }
            if (corners.length == 2) {
                for (int e = 0; e < shape.edges(); e++) {
                    int[] ends = shape.edge(e);
                    if (ends[0] + ends[1] == corners[0] + corners[1]
                            && (ends[0] == corners[0] || ends[0] == corners[1])) {
                        int from = vertex(cell, ends[0]) < vertex(cell, ends[1]) ? ends[0] : ends[1];
                        return edgeBase + (long) mesh.edges().edges()[cell * shape.edges() + e] * inEdge
                                + steps(node, from) - 1;
                    }
                }
            }
            for (int f = 0; f < shape.faces(); f++) {
                int[] face = shape.face(f);
                if (IntStream.of(face).sorted().boxed().toList()
                        .equals(IntStream.of(corners).sorted().boxed().toList())) {
                    return faceBase + (long) mesh.faces().ofCell()[cell * shape.faces() + f] * inFace
                            + onFace(cell, node, face);
                }
            }
            throw new IllegalStateException("node " + node + " of " + element + " lies on no part of a cell");
        }

        /** How far a node of an edge is from a corner. */
        private int steps(int node, int corner) {
            int most = 0;
            for (int d = 0; d < dimension; d++) {
                most = Math.max(most, Math.abs(element.lattice(node, d) - degree * shape.corner(corner, d)));
            }
            return most;
        }

        private int onFace(int cell, int node, int... face) {
            if (face.length == 3) {
                return 0; // degree 3 has one
            }
            int least = 0;
            for (int k = 1; k < face.length; k++) {
                least = vertex(cell, face[k]) < vertex(cell, face[least]) ? k : least;
            }
            int next = face[(least + 1) % face.length];
            int last = face[(least + 3) % face.length];
            boolean swap = vertex(cell, last) < vertex(cell, next);
            int u = along(node, face[least], swap ? last : next);
            int v = along(node, face[least], swap ? next : last);
            return u - 1 + (v - 1) * (degree - 1);
        }

        private int along(int node, int from, int to) {
            int steps = 0;
            for (int d = 0; d < dimension; d++) {
                int direction = shape.corner(to, d) - shape.corner(from, d);
                steps += direction * (element.lattice(node, d) - degree * shape.corner(from, d));
            }
            return steps;
        }
    }

    /** Renumbers in the order of first use; returns the count. */
    private static int firstTouch(int[] numbers) {
        int[] places = new int[Arrays.stream(numbers).max().orElse(-1) + 1];
        Arrays.fill(places, -1);
        int count = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (places[numbers[i]] < 0) {
                places[numbers[i]] = count++;
            }
            numbers[i] = places[numbers[i]];
        }
        return count;
    }

    private void place() {
        int dimension = mesh.dimension();
        int n = element.nodes();
        double[] reference = new double[n * dimension];
        for (int i = 0; i < n; i++) {
            System.arraycopy(element.node(i), 0, reference, i * dimension, dimension);
        }
        LagrangeElement.Tabulation table = mesh.geometry().tabulate(reference);
        double[] points = new double[mesh.geometry().nodes() * dimension];
        double[] x = new double[dimension];
        for (int cell = 0; cell < mesh.cells(); cell++) {
            mesh.gather(cell, points);
            for (int i = 0; i < n; i++) {
                Maps.point(table, i, points, x);
                System.arraycopy(x, 0, coordinates, dimension * cellNodes[cell * n + i], dimension);
            }
        }
    }

    /**
     * Returns the mesh.
     *
     * @return as given
     */
    public CellMesh mesh() {
        return mesh;
    }

    /**
     * Returns the element.
     *
     * @return as given
     */
    public LagrangeElement element() {
        return element;
    }

    /**
     * Returns the number of nodes.
     *
     * @return at least 3
     */
    public int nodes() {
        return nodes;
    }

    /**
     * Returns the nodes of each cell in the order of the element.
     *
     * @return the array itself, not to be changed
     */
    public int[] cellNodes() {
        return cellNodes;
    }

    /**
     * Returns where nodes lie.
     *
     * @return coordinates, those of the first node first; the array itself, not to be changed
     */
    public double[] coordinates() {
        return coordinates;
    }

    /**
     * Returns the nodes of a facet of the reference cell.
     *
     * @param facet which facet
     * @return local nodes, rising
     */
    public int[] facetNodes(int facet) {
        ElementShape shape = mesh.shape();
        int[] corners = shape.facet(facet);
        int degree = element.degree();
        return IntStream.range(0, element.nodes()).filter(node -> {
            if (!shape.isTensor()) {
                int sum = 0;
                int opposite = shape.corners() * (shape.corners() - 1) / 2 - IntStream.of(corners).sum();
                for (int d = 0; d < shape.dimension(); d++) {
                    sum += element.lattice(node, d);
                }
                return opposite == 0 ? sum == degree : element.lattice(node, opposite - 1) == 0;
            }
            for (int d = 0; d < shape.dimension(); d++) {
                int direction = d;
                int value = shape.corner(corners[0], d);
                if (IntStream.of(corners).allMatch(c -> shape.corner(c, direction) == value)) {
                    return element.lattice(node, d) == degree * value;
                }
            }
            throw new IllegalStateException("facet " + facet + " of " + shape + " is no side of the square or cube");
        }).toArray();
    }

    /**
     * Finds the nodes on the boundary, or on a part of it.
     *
     * @param where says whether a facet belongs to the part, by its centre
     * @return nodes, rising
     */
    public int[] boundaryNodes(Predicate<double[]> where) {
        ElementShape shape = mesh.shape();
        boolean[] on = new boolean[nodes];
        int[][] ofFacet = new int[shape.facets()][];
        Arrays.setAll(ofFacet, this::facetNodes);
        for (int facet : mesh.boundaryFacets()) {
            if (where.test(centre(facet))) {
                int cell = facet / shape.facets();
                for (int node : ofFacet[facet % shape.facets()]) {
                    on[cellNodes[cell * element.nodes() + node]] = true;
                }
            }
        }
        return IntStream.range(0, nodes).filter(node -> on[node]).toArray();
    }

    /** Returns the centre of a facet, numbered as those of the boundary are.
     *
     * @param facet facet f of cell c as {@code c * shape.facets() + f}
     * @return the mean of its corners, a new array
     */
    public double[] centre(int facet) {
        ElementShape shape = mesh.shape();
        int[] corners = shape.facet(facet % shape.facets());
        double[] centre = new double[shape.dimension()];
        for (int corner : corners) {
            int vertex = mesh.cellVertices()[facet / shape.facets() * shape.corners() + corner];
            for (int d = 0; d < centre.length; d++) {
                centre[d] += mesh.vertexCoordinates()[centre.length * vertex + d] / corners.length;
            }
        }
        return centre;
    }

    /**
     * Finds all nodes on the boundary.
     *
     * @return nodes, rising
     */
    public int[] boundaryNodes() {
        return boundaryNodes(centre -> true);
    }

    @Override
    public String toString() {
        return element + ", " + nodes + " nodes on " + mesh;
    }
}
