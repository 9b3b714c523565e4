package org.trellis.fem.space;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;

/**
 * A conforming mesh of cells of one shape, and the map from the reference cell to each of them: by the corners
 * (linear, bilinear, trilinear), or, after {@link #curved}, by a polynomial of higher degree (isoparametric up to the
 * degree of the element). Immutable.
 *
 * <p>A mesh that finite elements cannot use is refused: cells that are inverted, collapsed or not convex, corners that
 * no cell has, corners in the middle of another cell's edge or face (hanging nodes), facets of more than two cells.
 */
public final class CellMesh {
    private static final int CELLS_PER_TASK = 1 << 13;

    private final ElementShape shape;
    private final double[] vertices;
    private final int[] cells;
    private final LagrangeElement geometry;
    private final double[] geometryPoints;
    private final int[] geometryNodes;
    private final EntityNumbering edges;
    private final EntityNumbering.Faces faces;
    private final int[] boundary;

    private CellMesh(ElementShape shape, double[] vertices, int[] cells) {
        this.shape = shape;
        this.vertices = vertices;
        this.cells = cells;
        this.geometry = LagrangeElement.of(shape, 1, NodeFamily.EQUISPACED);
        this.geometryPoints = vertices;
        this.geometryNodes = new int[cells.length];
        int corners = shape.corners();
        ParallelRanges.strips(cells(), CELLS_PER_TASK, (from, to) -> {
            for (int cell = from; cell < to; cell++) {
                for (int c = 0; c < corners; c++) {
                    geometryNodes[cell * corners + geometry.cornerNode(c)] = cells[cell * corners + c];
                }
            }
        });
        MeshDefects.refuseShapes(this);
        this.edges = new EntityNumbering(shape, cells, vertices());
        this.faces = shape.dimension() == 3 ? edges.faces(shape, cells) : null;
        this.boundary = findBoundary();
        MeshDefects.refuseHangingNodes(this);
    }

    private CellMesh(CellMesh straight, LagrangeElement geometry, double[] points, int[] nodes) {
        this.shape = straight.shape;
        this.vertices = straight.vertices;
        this.cells = straight.cells;
        this.edges = straight.edges;
        this.faces = straight.faces;
        this.boundary = straight.boundary;
        this.geometry = geometry;
        this.geometryPoints = points;
        this.geometryNodes = nodes;
        MeshDefects.refuseShapes(this);
    }

    /**
     * Takes a mesh.
     *
     * @param shape    of all cells
     * @param vertices coordinates of the corners, as many each as the shape has dimensions; not copied
     * @param cells    the corners of each cell, in the order of {@link ElementShape}; not copied
     * @return the mesh
     * @throws IllegalArgumentException if finite elements cannot use it; names the cell or corner and coordinates
     */
    public static CellMesh of(ElementShape shape, double[] vertices, int[] cells) {
        int dimension = shape.dimension();
        Checks.length("remainder of the number of coordinates by the dimension", vertices.length % dimension, 0);
        Checks.length("remainder of the number of corners of all cells by that of one", cells.length % shape.corners(),
                0);
        Checks.positive("number of cells", cells.length / shape.corners());
        boolean[] used = new boolean[vertices.length / dimension];
        // Several threads may say the same of a corner. A wrong corner is said where it comes first.
        int wrong = ParallelRanges.first(cells.length, CELLS_PER_TASK, i -> {
            boolean known = cells[i] >= 0 && cells[i] < used.length;
            if (known && !used[cells[i]]) {
                used[cells[i]] = true;
            }
            return !known;
        });
        if (wrong >= 0) {
            throw new IllegalArgumentException("corner " + wrong % shape.corners() + " of cell "
                    + wrong / shape.corners() + " is " + cells[wrong] + ", expected 0 to " + (used.length - 1));
        }
        for (int v = 0; v < used.length; v++) {
            if (!used[v]) {
                throw new IllegalArgumentException("node " + v + " at " + text(vertices, v, dimension)
                        + " belongs to no cell, expected each in one: an unreferenced node makes a row of zeros");
            }
        }
        return new CellMesh(shape, vertices, cells);
    }

    /**
     * Takes a mesh of bent cells, as files have them.
     *
     * @param geometry the element of the map
     * @param points   coordinates of the points of maps, each of which belongs to some cell; not copied
     * @param nodes    the points of each cell in the order of the element's nodes; not copied
     * @return the mesh; its corners are the points at corners, in their order
     * @throws IllegalArgumentException  if finite elements cannot use it, or a cell is inverted where it is sampled
     * @throws IndexOutOfBoundsException if a cell has a point that is not there
     */
    public static CellMesh isoparametric(LagrangeElement geometry, double[] points, int[] nodes) {
        ElementShape shape = geometry.shape();
        int n = geometry.nodes();
        Checks.length("remainder of the number of points of all cells by that of one", nodes.length % n, 0);
        boolean[] used = new boolean[points.length / shape.dimension()];
        int[] corners = new int[nodes.length / n * shape.corners()];
        for (int k = 0; k < nodes.length; k++) {
            used[Checks.index("point of cell " + k / n, nodes[k], used.length)] = true;
        }
        for (int k = 0; k < corners.length; k++) {
            corners[k] = nodes[k / shape.corners() * n + geometry.cornerNode(k % shape.corners())];
        }
        for (int v = 0; v < used.length; v++) {
            if (!used[v]) {
                throw new IllegalArgumentException("point " + v + " at " + text(points, v, shape.dimension())
                        + " belongs to no cell, expected each in one");
            }
        }
        int[] kept = Arrays.stream(corners).sorted().distinct().toArray();
        double[] vertices = new double[kept.length * shape.dimension()];
        for (int v = 0; v < kept.length; v++) {
            System.arraycopy(points, kept[v] * shape.dimension(), vertices, v * shape.dimension(), shape.dimension());
        }
        Arrays.setAll(corners, k -> Arrays.binarySearch(kept, corners[k]));
        return new CellMesh(of(shape, vertices, corners), geometry, points, nodes);
    }

    /**
     * Takes some of the cells. Corners and points of maps keep their order, and cells theirs.
     *
     * @param some which cells, rising
     * @return the mesh of these cells; its boundary has facets that are inside of this mesh
     * @throws IndexOutOfBoundsException if there is no such cell
     * @throws IllegalArgumentException  if there is none
     */
    public CellMesh part(int... some) {
        Part straight = new Part(cells, shape.corners(), some);
        CellMesh part = of(shape, straight.points(vertices, shape.dimension()), straight.table);
        if (geometry.degree() == 1) {
            return part;
        }
        Part bent = new Part(geometryNodes, geometry.nodes(), some);
        return new CellMesh(part, geometry, bent.points(geometryPoints, shape.dimension()), bent.table);
    }

    /** The rows of a table that some cells have, with points numbered anew in their order. */
    private static final class Part {
        private final int[] table;
        private final int[] kept;

        Part(int[] all, int arity, int... some) {
            table = new int[Checks.arrayLength("points of some cells", (long) some.length * arity)];
            for (int k = 0; k < some.length; k++) {
                Checks.index("cell", some[k], all.length / arity);
                System.arraycopy(all, some[k] * arity, table, k * arity, arity);
            }
            kept = Arrays.stream(table).sorted().distinct().toArray();
            Arrays.setAll(table, i -> Arrays.binarySearch(kept, table[i]));
        }

        double[] points(double[] all, int dimension) {
            double[] points = new double[kept.length * dimension];
            for (int k = 0; k < kept.length; k++) {
                System.arraycopy(all, kept[k] * dimension, points, k * dimension, dimension);
            }
            return points;
        }
    }

    private int[] findBoundary() {
        int[] numbers = facetNumbers();
        AtomicIntegerArray uses = new AtomicIntegerArray(facetCount());
        int many = ParallelRanges.first(numbers.length, CELLS_PER_TASK, i -> uses.incrementAndGet(numbers[i]) > 2);
        if (many >= 0) {
            refuseThirdUse(numbers);
        }
        return IntStream.range(0, numbers.length).parallel().filter(i -> uses.getPlain(numbers[i]) == 1).toArray();
    }

    /** Names the first facet that two cells before had, which threads may have counted in another order. */
    private void refuseThirdUse(int... numbers) {
        int[] uses = new int[facetCount()];
        for (int i = 0; i < numbers.length; i++) {
            if (++uses[numbers[i]] > 2) {
                int cell = i / shape.facets();
                throw new IllegalArgumentException("facet " + i % shape.facets() + " of cell " + cell + " with corners "
                        + cellText(cell) + " belongs to a third cell, expected at most two");
            }
        }
    }

    private int[] facetNumbers() {
        return faces == null ? edges.edges() : faces.ofCell();
    }

    private int facetCount() {
        return faces == null ? edges.edgeCount() : faces.count();
    }

    EntityNumbering edges() {
        return edges;
    }

    EntityNumbering.Faces faces() {
        return faces;
    }

    /**
     * Bends the mesh: the map of each cell becomes a polynomial of a degree, whose nodes are moved.
     *
     * @param degree the degree, at least 1
     * @param move   gives each node, a point of the straight mesh, its place; is given an array of its own
     * @return the bent mesh
     * @throws IllegalArgumentException if the degree is out of range, or a cell is inverted where it is sampled
     */
    public CellMesh curved(int degree, UnaryOperator<double[]> move) {
        LagrangeElement element = LagrangeElement.of(shape, degree);
        FunctionSpace space = FunctionSpace.of(this, element);
        double[] points = new double[space.coordinates().length];
        int dimension = shape.dimension();
        for (int node = 0; node < space.nodes(); node++) {
            double[] moved = move
                    .apply(Arrays.copyOfRange(space.coordinates(), dimension * node, dimension * (node + 1)));
            System.arraycopy(moved, 0, points, dimension * node, dimension);
        }
        return new CellMesh(this, element, points, space.cellNodes());
    }

    /**
     * Returns the shape of the cells.
     *
     * @return one for all
     */
    public ElementShape shape() {
        return shape;
    }

    /**
     * Returns the dimension.
     *
     * @return 2 or 3
     */
    public int dimension() {
        return shape.dimension();
    }

    /**
     * Returns the number of cells.
     *
     * @return at least 1
     */
    public int cells() {
        return cells.length / shape.corners();
    }

    /**
     * Returns the number of corners of all cells.
     *
     * @return at least 3
     */
    public int vertices() {
        return vertices.length / shape.dimension();
    }

    /**
     * Returns the coordinates of the corners.
     *
     * @return the array itself, not to be changed
     */
    public double[] vertexCoordinates() {
        return vertices;
    }

    /**
     * Returns the corners of the cells.
     *
     * @return the array itself, not to be changed
     */
    public int[] cellVertices() {
        return cells;
    }

    /**
     * Returns the element that maps the reference cell to cells.
     *
     * @return of degree 1 unless the mesh is curved
     */
    public LagrangeElement geometry() {
        return geometry;
    }

    /**
     * Returns the points of the maps.
     *
     * @return coordinates, the array itself, not to be changed; those of the corners unless the mesh is curved
     */
    public double[] geometryPoints() {
        return geometryPoints;
    }

    /**
     * Returns the points of the map of each cell, in the order of the nodes of {@link #geometry()}.
     *
     * @return the array itself, not to be changed
     */
    public int[] geometryNodes() {
        return geometryNodes;
    }

    /**
     * Returns the facets on the boundary: those of one cell only.
     *
     * @return facet f of cell c as {@code c * shape.facets() + f}, rising; the array itself, not to be changed
     */
    public int[] boundaryFacets() {
        return boundary;
    }

    /**
     * Gathers the points of the map of a cell.
     *
     * @param cell which cell
     * @param into gets coordinates, those of the first point first
     */
    public void gather(int cell, double[] into) {
        int points = geometry.nodes();
        int dimension = shape.dimension();
        for (int k = 0; k < points; k++) {
            System.arraycopy(geometryPoints, dimension * geometryNodes[cell * points + k], into, dimension * k,
                    dimension);
        }
    }

    /** Returns the corners of a cell in words, for messages. */
    String cellText(int cell) {
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < shape.corners(); c++) {
            text.append(c == 0 ? "" : " ").append(text(vertices, cells[cell * shape.corners() + c], dimension()));
        }
        return text.toString();
    }

    static String text(double[] coordinates, int point, int dimension) {
        StringBuilder text = new StringBuilder("(");
        for (int d = 0; d < dimension; d++) {
            text.append(d == 0 ? "" : ", ").append((float) coordinates[dimension * point + d]);
        }
        return text.append(')').toString();
    }

    @Override
    public String toString() {
        return "mesh of " + cells() + " cells (" + shape.name().toLowerCase(Locale.ROOT) + ") and " + vertices()
                + " corners";
    }
}
