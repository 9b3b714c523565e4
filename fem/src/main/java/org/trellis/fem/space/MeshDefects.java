package org.trellis.fem.space;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;

/** What makes a mesh unusable, looked for and refused with the place. */
final class MeshDefects {
    /** A determinant of less than this times the product of the longest edges is that of a collapsed cell. */
    private static final double FLAT = 1e-12;
    /** How close to a facet, as a share of its size, a node counts as lying on it. */
    private static final double FACET_TOLERANCE = 1e-9;

    private static final int CELLS_PER_TASK = 1 << 11;
    private static final int FACETS_PER_TASK = 256;

    private MeshDefects() {}

    /** Looks at the determinant of the map at the corners and at quadrature points of each cell. */
    static void refuseShapes(CellMesh mesh) {
        AtomicInteger first = new AtomicInteger(mesh.cells());
        ParallelRanges.strips(mesh.cells(), CELLS_PER_TASK, () -> new Samples(mesh), (from, to, samples) -> {
            int cell = from;
            while (cell < to && cell < first.getOpaque() && samples.isGood(cell)) {
                cell++;
            }
            int bad = cell;
            if (bad < to) {
                first.getAndUpdate(now -> Math.min(now, bad));
            }
        });
        if (first.get() < mesh.cells()) {
            new Samples(mesh).refuse(first.get());
        }
    }

    /** The map of one cell after the other, at points where its determinant is examined. */
    private static final class Samples {
        private final CellMesh mesh;
        private final LagrangeElement.Tabulation table;
        private final double[] points;
        private final double[] jacobian;
        private int positive;
        private int negative;

        Samples(CellMesh mesh) {
            this.mesh = mesh;
            int dimension = mesh.dimension();
            table = mesh.geometry().tabulate(samples(mesh.shape(), mesh.geometry().degree()));
            points = new double[mesh.geometry().nodes() * dimension];
            jacobian = new double[dimension * dimension];
        }

        boolean isGood(int cell) {
            mesh.gather(cell, points);
            // A coordinate that is not finite makes a determinant that is not.
            double size = size(points, mesh.dimension());
            positive = 0;
            negative = 0;
            for (int q = 0; q < table.points(); q++) {
                double determinant = ReferenceMap.jacobian(table, q, points, jacobian);
                positive += determinant > FLAT * size && determinant < Double.POSITIVE_INFINITY ? 1 : 0;
                negative += determinant < -FLAT * size ? 1 : 0;
            }
            return positive == table.points();
        }

        void refuse(int cell) {
            boolean good = isGood(cell);
            for (double coordinate : points) {
                if (!Double.isFinite(coordinate)) {
                    throw new IllegalArgumentException("cell " + cell + " with corners " + mesh.cellText(cell)
                            + " has the coordinate " + coordinate + ", expected finite ones");
                }
            }
            if (!good) {
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
        // The determinant of a bilinear map is linear, so it is least at a corner.
        boolean corners = degree == 1 && dimension == 2;
        double[] inner = corners ? new double[0] : Quadrature.product(shape, degree + 1).points();
        double[] all = Arrays.copyOf(inner, inner.length + dimension * shape.corners());
        for (int c = 0; c < shape.corners(); c++) {
            for (int d = 0; d < dimension; d++) {
                all[inner.length + dimension * c + d] = shape.corner(c, d);
            }
        }
        return all;
    }

    /** Looks for nodes on the boundary that lie on a facet of the boundary without being one of its corners. */
    static void refuseHangingNodes(CellMesh mesh) {
        double[] x = mesh.vertexCoordinates();
        PointTree tree = new PointTree(x, mesh.dimension(), boundaryNodes(mesh));
        int[] boundary = mesh.boundaryFacets();
        int found = ParallelRanges.first(boundary.length, FACETS_PER_TASK, k -> hanging(mesh, boundary[k], tree) >= 0);
        if (found >= 0) {
            int cell = boundary[found] / mesh.shape().facets();
            int node = hanging(mesh, boundary[found], tree);
            throw new IllegalArgumentException(String.format(Locale.ROOT,
                    "node %d at %s lies on a facet of cell %d with corners %s without being one of them; "
                            + "expected a conforming mesh without hanging nodes",
                    node, CellMesh.text(x, node, mesh.dimension()), cell, mesh.cellText(cell)));
        }
    }

    /** Returns a node that lies on a facet without being one of its corners, -1 if there is none. */
    private static int hanging(CellMesh mesh, int facet, PointTree tree) {
        ElementShape shape = mesh.shape();
        int dimension = shape.dimension();
        double[] x = mesh.vertexCoordinates();
        int[] corners = shape.facet(facet % shape.facets());
        for (int k = 0; k < corners.length; k++) {
            corners[k] = mesh.cellVertices()[facet / shape.facets() * shape.corners() + corners[k]];
        }
        Box box = Box.of(x, corners, dimension);
        return tree.find(box.least(), box.most(), node -> isNone(corners, node)
                && liesOn(x, corners, node, dimension, box.slack()));
    }

    private static boolean isNone(int[] corners, int node) {
        boolean none = true;
        for (int corner : corners) {
            none &= corner != node;
        }
        return none;
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
        return s > -FACET_TOLERANCE && t > -FACET_TOLERANCE && s + t < 1 + FACET_TOLERANCE && distance < slack * slack;
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
     * @param least the least coordinates, less the slack
     * @param most  the greatest ones, and the slack
     * @param slack the distance that counts as none
     */
    private record Box(double[] least, double[] most, double slack) {
        static Box of(double[] x, int[] corners, int dimension) {
            double[] least = new double[dimension];
            double[] most = new double[dimension];
            double size = 0;
            for (int d = 0; d < dimension; d++) {
                least[d] = Double.POSITIVE_INFINITY;
                most[d] = Double.NEGATIVE_INFINITY;
                for (int corner : corners) {
                    least[d] = Math.min(least[d], x[dimension * corner + d]);
                    most[d] = Math.max(most[d], x[dimension * corner + d]);
                }
                size = Math.max(size, most[d] - least[d]);
            }
            for (int d = 0; d < dimension; d++) {
                least[d] -= FACET_TOLERANCE * size;
                most[d] += FACET_TOLERANCE * size;
            }
            return new Box(least, most, FACET_TOLERANCE * size);
        }
    }
}
