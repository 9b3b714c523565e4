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
        NodeNumbering numbering = new NodeNumbering(mesh, element);
        this.cellNodes = numbering.cellNodes();
        this.coordinates = numbering.coordinates();
        this.nodes = coordinates.length / mesh.dimension();
    }

    /**
     * Numbers the nodes of a space, on several threads in time linear in the nodes of cells.
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
        int[] found = new int[(int) Math.min(nodes, (long) mesh.boundaryFacets().length * mostFacetNodes())];
        int count = 0;
        int[][] ofFacet = new int[shape.facets()][];
        Arrays.setAll(ofFacet, this::facetNodes);
        for (int facet : mesh.boundaryFacets()) {
            if (where.test(centre(facet))) {
                int cell = facet / shape.facets();
                for (int local : ofFacet[facet % shape.facets()]) {
                    int node = cellNodes[cell * element.nodes() + local];
                    if (!on[node]) {
                        on[node] = true;
                        found[count++] = node;
                    }
                }
            }
        }
        int[] sorted = Arrays.copyOf(found, count);
        Arrays.parallelSort(sorted);
        return sorted;
    }

    private int mostFacetNodes() {
        return IntStream.range(0, mesh.shape().facets()).map(facet -> facetNodes(facet).length).max().orElse(0);
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
