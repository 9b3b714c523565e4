package org.trellis.fem.space;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;

/** What makes a mesh unusable, looked for and refused with the place. */
final class MeshDefects {
    /** A determinant of less than this times the product of the longest edges is that of a collapsed cell. */
    private static final double FLAT = 1e-12;
    /** How close to a facet, as a share of its size, a node counts as lying on it. */
    private static final double NEAR = 1e-9;

    private MeshDefects() {}

    /** Looks at the determinant of the map at the corners and at quadrature points of each cell. */
    static void refuseShapes(CellMesh mesh) {
        ElementShape shape = mesh.shape();
        int dimension = shape.dimension();
        LagrangeElement geometry = mesh.geometry();
        double[] samples = samples(shape, geometry.degree());
        LagrangeElement.Tabulation table = geometry.tabulate(samples);
        double[] points = new double[geometry.nodes() * dimension];
        double[] jacobian = new double[dimension * dimension];
        for (int cell = 0; cell < mesh.cells(); cell++) {
            mesh.gather(cell, points);
            for (double coordinate : points) {
                if (!Double.isFinite(coordinate)) {
                    throw new IllegalArgumentException("cell " + cell + " with corners " + mesh.cellText(cell)
                            + " has the coordinate " + coordinate + ", expected finite ones");
                }
            }
            double size = size(points, dimension);
            int positive = 0;
            int negative = 0;
            for (int q = 0; q < table.points(); q++) {
                double determinant = Maps.jacobian(table, q, points, jacobian);
                positive += determinant > FLAT * size ? 1 : 0;
                negative += determinant < -FLAT * size ? 1 : 0;
            }
            if (positive != table.points()) {
                String what = negative == table.points()
                        ? "is inverted: its corners run the wrong way round"
                        : negative > 0 && positive > 0 ? "is not convex, or folded" : "is collapsed";
                throw new IllegalArgumentException("cell " + cell + " with corners " + mesh.cellText(cell) + " " + what
                        + "; expected a map of positive determinant everywhere");
            }
        }
    }

    private static double size(double[] points, int dimension) {
        double size = 1;
        double longest = 0;
        for (int d = 0; d < dimension; d++) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = d; i < points.length; i += dimension) {
                least = Math.min(least, points[i]);
                most = Math.max(most, points[i]);
            }
            longest = Math.max(longest, most - least);
        }
        for (int d = 0; d < dimension; d++) {
            size *= longest;
        }
        return size;
    }

    private static double[] samples(ElementShape shape, int degree) {
        int dimension = shape.dimension();
        double[] inner = Quadrature.product(shape, degree + 1).points();
        double[] all = Arrays.copyOf(inner, inner.length + dimension * shape.corners());
        for (int c = 0; c < shape.corners(); c++) {
            for (int d = 0; d < dimension; d++) {
                all[inner.length + dimension * c + d] = shape.corner(c, d);
            }
        }
        return all;
    }

    /**
     * Looks for nodes on the boundary that lie on a facet of the boundary without being one of its corners. Nodes are
     * sorted by their first coordinate, so that a facet looks at those beside it only.
     */
    static void refuseHangingNodes(CellMesh mesh) {
        ElementShape shape = mesh.shape();
        int dimension = shape.dimension();
        double[] x = mesh.vertexCoordinates();
        int[] nodes = boundaryNodes(mesh);
        Integer[] sorted = IntStream.of(nodes).boxed().toArray(Integer[]::new);
        Arrays.sort(sorted, Comparator.comparingDouble(node -> x[dimension * node]));
        double[] firsts = Arrays.stream(sorted).mapToDouble(node -> x[dimension * node]).toArray();
        for (int facet : mesh.boundaryFacets()) {
            int cell = facet / shape.facets();
            int[] corners = shape.facet(facet % shape.facets());
            for (int k = 0; k < corners.length; k++) {
                corners[k] = mesh.cellVertices()[cell * shape.corners() + corners[k]];
            }
            Box box = Box.of(x, corners, dimension);
            int at = Arrays.binarySearch(firsts, box.least()[0] - box.slack());
            for (int i = at < 0 ? -at - 1 : first(firsts, at); i < firsts.length
                    && firsts[i] <= box.most()[0] + box.slack(); i++) {
                int node = sorted[i];
                if (IntStream.of(corners).noneMatch(corner -> corner == node) && box.holds(x, node)
                        && liesOn(x, corners, node, dimension, box.slack())) {
                    throw new IllegalArgumentException(String.format(Locale.ROOT,
                            "node %d at %s lies on a facet of cell %d with corners %s without being one of them; "
                                    + "expected a conforming mesh without hanging nodes",
                            node, CellMesh.text(x, node, dimension), cell, mesh.cellText(cell)));
                }
            }
        }
    }

    private static int first(double[] values, int at) {
        int i = at;
        while (i > 0 && values[i - 1] == values[at]) {
            i--;
        }
        return i;
    }

    private static int[] boundaryNodes(CellMesh mesh) {
        ElementShape shape = mesh.shape();
        boolean[] on = new boolean[mesh.vertices()];
        for (int facet : mesh.boundaryFacets()) {
            for (int corner : shape.facet(facet % shape.facets())) {
                on[mesh.cellVertices()[facet / shape.facets() * shape.corners() + corner]] = true;
            }
        }
        return IntStream.range(0, on.length).filter(v -> on[v]).toArray();
    }

    /** Says whether a node lies on a segment, or on one of the triangles of which a face is made. */
    private static boolean liesOn(double[] x, int[] corners, int node, int dimension, double slack) {
        if (dimension == 2) {
            double dx = x[2 * corners[1]] - x[2 * corners[0]];
            double dy = x[2 * corners[1] + 1] - x[2 * corners[0] + 1];
            double px = x[2 * node] - x[2 * corners[0]];
            double py = x[2 * node + 1] - x[2 * corners[0] + 1];
            double along = (px * dx + py * dy) / (dx * dx + dy * dy);
            return along > 0 && along < 1 && Math.abs(px * dy - py * dx) < slack * Math.hypot(dx, dy);
        }
        boolean found = false;
        for (int k = 2; k < corners.length; k++) {
            found |= liesOnTriangle(x, corners[0], corners[k - 1], corners[k], node, slack);
        }
        return found;
    }

    private static boolean liesOnTriangle(double[] x, int a, int b, int c, int node, double slack) {
        double[] u = difference(x, b, a);
        double[] v = difference(x, c, a);
        double[] w = difference(x, node, a);
        double uu = dot(u, u);
        double uv = dot(u, v);
        double vv = dot(v, v);
        double determinant = uu * vv - uv * uv;
        double s = (vv * dot(u, w) - uv * dot(v, w)) / determinant;
        double t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
        double distance = 0;
        for (int d = 0; d < 3; d++) {
            double off = w[d] - s * u[d] - t * v[d];
            distance += off * off;
        }
        return s > -NEAR && t > -NEAR && s + t < 1 + NEAR && distance < slack * slack;
    }

    private static double[] difference(double[] x, int a, int b) {
        return new double[]{x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]};
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    /**
     * What a facet lies in.
     *
     * @param least the least coordinates
     * @param most  the greatest ones
     * @param slack the distance that counts as none
     */
    private record Box(double[] least, double[] most, double slack) {
        static Box of(double[] x, int[] corners, int dimension) {
            double[] least = new double[dimension];
            double[] most = new double[dimension];
            double size = 0;
            for (int d = 0; d < dimension; d++) {
                int direction = d;
                least[d] = IntStream.of(corners).mapToDouble(v -> x[dimension * v + direction]).min().orElseThrow();
                most[d] = IntStream.of(corners).mapToDouble(v -> x[dimension * v + direction]).max().orElseThrow();
                size = Math.max(size, most[d] - least[d]);
            }
            return new Box(least, most, NEAR * size);
        }

        boolean holds(double[] x, int node) {
            boolean inside = true;
            for (int d = 0; d < least.length; d++) {
                double coordinate = x[least.length * node + d];
                inside &= coordinate >= least[d] - slack && coordinate <= most[d] + slack;
            }
            return inside;
        }
    }
}
