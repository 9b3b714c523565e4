package org.trellis.fem;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.ReferenceMap;
import org.trellis.mesh.Dat;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * Integrals over facets of the boundary, computed on the host when the system is made: there are few of them. A facet
 * has the unknowns of its nodes.
 */
final class FacetTerms {
    private final FormMesh form;
    private final FunctionSpace space;
    private final int fields;
    private final double[] load;
    private final double[] diagonal;
    private final boolean any;
    private final List<int[]> unknownLists = new ArrayList<>();
    private final List<double[]> matrixList = new ArrayList<>();
    private int perFacet = 1;
    private MeshSet set;
    private Dat matrices;
    private MeshMap map;

    /**
     * Integrates.
     *
     * @param there the facets on the boundary, or null for all that the mesh has there; then each condition has to hold
     *              on some
     */
    FacetTerms(FormMesh form, Constraints constraints, List<BoundaryCondition> conditions, BitSet there) {
        this.form = form;
        this.space = constraints.space();
        this.fields = constraints.fields();
        this.any = !conditions.isEmpty();
        this.load = new double[any ? form.unknowns().total() : 0];
        this.diagonal = new double[load.length];
        for (BoundaryCondition condition : conditions) {
            if (there == null) {
                requireSome(condition, space);
            }
            integrate(condition, there);
        }
        if (!matrixList.isEmpty()) {
            declare();
        }
    }

    private void declare() {
        perFacet = unknownLists.getFirst().length;
        int[] table = unknownLists.stream().flatMapToInt(java.util.Arrays::stream).toArray();
        double[] values = matrixList.stream().flatMapToDouble(java.util.Arrays::stream).toArray();
        set = form.mesh().set("facets", unknownLists.size());
        map = form.mesh().map("unknowns of facets", set, form.all(), perFacet, table);
        matrices = form.mesh().dat("matrices of facets", set, perFacet * perFacet, form.options().precision(), values);
    }

    /**
     * Refuses a condition of nothing.
     *
     * @throws IllegalArgumentException if it holds on no facet of the boundary
     */
    static void requireSome(BoundaryCondition condition, FunctionSpace space) {
        if (IntStream.of(space.mesh().boundaryFacets()).noneMatch(f -> condition.where().test(space.centre(f)))) {
            throw new IllegalArgumentException("a boundary condition holds on no facet of " + space.mesh()
                    + ", expected some: it is asked for the centres of facets");
        }
    }

    private void integrate(BoundaryCondition condition, BitSet there) {
        CellMesh mesh = space.mesh();
        ElementShape shape = mesh.shape();
        for (int f = 0; f < shape.facets(); f++) {
            Rule rule = Rule.of(space.element(), mesh.geometry(), shape.facet(f));
            int[] nodes = space.facetNodes(f);
            for (int facet : mesh.boundaryFacets()) {
                if (facet % shape.facets() == f && (there == null || there.get(facet))
                        && condition.where().test(space.centre(facet))) {
                    integrate(condition, facet / shape.facets(), nodes, rule);
                }
            }
        }
    }

    private void integrate(BoundaryCondition condition, int cell, int[] nodes, Rule rule) {
        CellMesh mesh = space.mesh();
        int dimension = mesh.dimension();
        double[] corners = new double[mesh.geometry().nodes() * dimension];
        double[] jacobian = new double[dimension * dimension];
        double[] x = new double[dimension];
        double[] flux = new double[fields];
        int size = nodes.length * fields;
        double[] matrix = new double[size * size];
        int[] unknowns = new int[size];
        mesh.gather(cell, corners);
        for (int k = 0; k < size; k++) {
            int node = space.cellNodes()[cell * space.element().nodes() + nodes[k / fields]];
            unknowns[k] = form.unknowns().place(node * fields + k % fields);
        }
        for (int q = 0; q < rule.weights().length; q++) {
            ReferenceMap.jacobian(rule.map(), q, corners, jacobian);
            ReferenceMap.point(rule.map(), q, corners, x);
            double weight = rule.weights()[q] * rule.stretch(jacobian, dimension);
            condition.flux().at(x, flux);
            for (int k = 0; k < size; k++) {
                double test = weight * rule.value(q, nodes[k / fields]);
                if (!Double.isFinite(flux[k % fields])) {
                    throw new IllegalArgumentException("the flux at " + java.util.Arrays.toString(x) + " is "
                            + flux[k % fields] + ", expected a finite number: boundary data are missing there");
                }
                load[unknowns[k]] += test * flux[k % fields];
                for (int l = k % fields; l < size; l += fields) {
                    matrix[k * size + l] += condition.alpha() * test * rule.value(q, nodes[l / fields]);
                }
            }
        }
        if (condition.alpha() > 0) {
            for (int k = 0; k < size; k++) {
                diagonal[unknowns[k]] += matrix[k * size + k];
            }
            unknownLists.add(unknowns);
            matrixList.add(matrix);
        }
    }

    /** Returns what facets add to the right-hand side, for all unknowns in their places, if there are any. */
    Optional<double[]> load() {
        return any ? Optional.of(load) : Optional.empty();
    }

    /** Says whether facets add to the matrix. */
    boolean isMatrix() {
        return set != null;
    }

    int perFacet() {
        return perFacet;
    }

    int[] unknowns() {
        return map.toArray();
    }

    MeshSet set() {
        return set;
    }

    MeshMap map() {
        return map;
    }

    Dat matrices() {
        return matrices;
    }

    void addDiagonal(Dat dat) {
        if (isMatrix()) {
            double[] all = dat.toArray();
            for (int k = 0; k < all.length; k++) {
                all[k] += diagonal[k];
            }
            dat.setAll(all);
        }
    }

    /** Adds to the blocks of nodes, where the fields of each unknown's node lie side by side. */
    void addBlocks(double[] blocks, int[] mates, int perNode) {
        for (int f = 0; f < matrixList.size(); f++) {
            int[] unknowns = unknownLists.get(f);
            for (int k = 0; k < unknowns.length; k++) {
                int first = k - k % perNode;
                for (int l = first; l < first + perNode; l++) {
                    for (int field = 0; field < perNode; field++) {
                        if (mates[unknowns[k] * perNode + field] == unknowns[l]) {
                            blocks[unknowns[k] * perNode + field] += matrixList.get(f)[k * unknowns.length + l];
                        }
                    }
                }
            }
        }
    }

    /** Adds the product of the facets' matrices and a vector of all unknowns. */
    void apply(double[] u, double[] y) {
        for (int f = 0; f < matrixList.size(); f++) {
            int[] unknowns = unknownLists.get(f);
            for (int k = 0; k < unknowns.length; k++) {
                for (int l = 0; l < unknowns.length; l++) {
                    y[unknowns[k]] += matrixList.get(f)[k * unknowns.length + l] * u[unknowns[l]];
                }
            }
        }
    }

    /**
     * Quadrature on a facet of the reference cell.
     *
     * @param weights  on the reference facet
     * @param basis    of the unknowns at the points
     * @param map      of the map at the points
     * @param tangents of the facet in the reference cell, one or two
     */
    private record Rule(double[] weights, LagrangeElement.Tabulation basis, LagrangeElement.Tabulation map,
            double[][] tangents) {
        static Rule of(LagrangeElement element, LagrangeElement geometry, int... corners) {
            ElementShape shape = element.shape();
            int dimension = shape.dimension();
            int n = element.degree() + geometry.degree() + 1;
            Quadrature flat = dimension == 2
                    ? Quadrature.gauss(n)
                    : Quadrature.product(corners.length == 3 ? ElementShape.TRIANGLE : ElementShape.QUADRILATERAL, n);
            double[][] tangents = new double[dimension - 1][dimension];
            double[] points = new double[flat.size() * dimension];
            for (int d = 0; d < dimension; d++) {
                int origin = shape.corner(corners[0], d);
                tangents[0][d] = shape.corner(corners[1], d) - origin;
                if (dimension == 3) {
                    tangents[1][d] = shape.corner(corners[corners.length - 1], d) - origin;
                }
                for (int q = 0; q < flat.size(); q++) {
                    points[q * dimension + d] = origin;
                    for (int t = 0; t < dimension - 1; t++) {
                        points[q * dimension + d] += flat.points()[q * (dimension - 1) + t] * tangents[t][d];
                    }
                }
            }
            return new Rule(flat.weights(), element.tabulate(points), geometry.tabulate(points), tangents);
        }

        double value(int q, int node) {
            return basis.values()[q * basis.functions() + node];
        }

        /** How much longer or larger the facet is than that of the reference cell. */
        double stretch(double[] j, int dimension) {
            double[][] t = new double[tangents.length][dimension];
            for (int k = 0; k < t.length; k++) {
                for (int a = 0; a < dimension; a++) {
                    for (int d = 0; d < dimension; d++) {
                        t[k][a] += j[a * dimension + d] * tangents[k][d];
                    }
                }
            }
            if (dimension == 2) {
                return Math.hypot(t[0][0], t[0][1]);
            }
            double x = t[0][1] * t[1][2] - t[0][2] * t[1][1];
            double y = t[0][2] * t[1][0] - t[0][0] * t[1][2];
            double z = t[0][0] * t[1][1] - t[0][1] * t[1][0];
            return Math.sqrt(x * x + y * y + z * z);
        }
    }
}
