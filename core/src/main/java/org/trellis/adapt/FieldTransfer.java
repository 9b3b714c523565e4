package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.ElementLocator;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.CarryOver;

/**
 * Takes fields at the vertices of one mesh to those of another of the same domain: by interpolation, which keeps
 * values, or
 * by projection, which keeps integrals.
 */
public final class FieldTransfer {
    private static final int GRAIN = 64;

    private final SimplexMesh from;
    private final SimplexMesh to;
    private final ElementLocator locator;
    private final int dimension;

    private FieldTransfer(SimplexMesh from, SimplexMesh to) {
        this.from = from;
        this.to = to;
        locator = new ElementLocator(from);
        dimension = from.dimension();
    }

    /**
     * Prepares transfers. Takes time proportional to the first mesh.
     *
     * @param from where the fields are
     * @param to   where they shall be
     * @return the transfers
     * @throws IllegalArgumentException if one mesh is plane and the other is not
     */
    public static FieldTransfer between(SimplexMesh from, SimplexMesh to) {
        if (from.dimension() != to.dimension()) {
            throw new IllegalArgumentException("meshes have " + from.dimension() + " and " + to.dimension()
                    + " dimensions, expected the same");
        }
        return new FieldTransfer(from, to);
    }

    /**
     * Evaluates the linear interpolant at the new vertices. Exact for linear fields; does not keep integrals.
     *
     * @param values     the field, {@code components} numbers for each old vertex
     * @param components numbers of a vertex, at least 1
     * @return as many for each new vertex
     * @throws IllegalArgumentException if there are not that many values
     */
    public double[] interpolate(double[] values, int components) {
        check(values, components);
        double[] result = new double[to.vertices() * components];
        ParallelRanges.run(to.vertices(), GRAIN, (first, last) -> {
            double[] weights = new double[dimension + 1];
            for (int v = first; v < last; v++) {
                int element = locator.locate(to.coordinates(), v * dimension, weights);
                for (int k = 0; k <= dimension; k++) {
                    int old = from.corners()[element * (dimension + 1) + k];
                    for (int c = 0; c < components; c++) {
                        result[v * components + c] += weights[k] * values[old * components + c];
                    }
                }
            }
        });
        return result;
    }

    /**
     * Projects the field with the mass matrix lumped (P. E. Farrell et al., "Conservative interpolation between
     * unstructured
     * meshes via supermesh construction", Comput. Methods Appl. Mech. Engrg. 198, 2009): each new vertex gets the
     * mean of the
     * field weighted by its hat function, integrated exactly over all intersections of old and new elements. Keeps
     * the integral but
     * for rounding, and constants; values stay within the range of those around. Spreads steep fronts over an element.
     *
     * @param values     the field, {@code components} numbers for each old vertex
     * @param components numbers of a vertex, at least 1
     * @return as many for each new vertex
     * @throws IllegalArgumentException if there are not that many values
     */
    public double[] project(double[] values, int components) {
        check(values, components);
        int width = dimension + 1;
        double[] shares = new double[to.elements() * width * components];
        ParallelRanges.run(to.elements(), GRAIN, () -> new Overlap(from, to, locator), (first, last, overlap) -> {
            for (int e = first; e < last; e++) {
                overlap.integrate(e, values, components, shares);
            }
        });
        double[] result = new double[to.vertices() * components];
        double[] masses = new double[to.vertices()];
        for (int e = 0; e < to.elements(); e++) {
            double measure = SimplexQuality.measure(dimension, to.coordinates(), to.corners(), e * width);
            for (int k = 0; k < width; k++) {
                int vertex = to.corners()[e * width + k];
                masses[vertex] += measure / width;
                for (int c = 0; c < components; c++) {
                    result[vertex * components + c] += shares[(e * width + k) * components + c];
                }
            }
        }
        for (int i = 0; i < result.length; i++) {
            result[i] /= masses[i / components];
        }
        return result;
    }

    /**
     * Computes the integral of a field over a mesh.
     *
     * @param mesh       the mesh
     * @param values     the field at its vertices
     * @param components numbers of a vertex
     * @return the integral of each component
     */
    public static double[] integral(SimplexMesh mesh, double[] values, int components) {
        int width = mesh.dimension() + 1;
        double[] sums = new double[components];
        for (int e = 0; e < mesh.elements(); e++) {
            double measure = SimplexQuality.measure(mesh.dimension(), mesh.coordinates(), mesh.corners(), e * width);
            for (int k = 0; k < width; k++) {
                for (int c = 0; c < components; c++) {
                    sums[c] += measure / width * values[mesh.corners()[e * width + k] * components + c];
                }
            }
        }
        return sums;
    }

    /**
     * Returns {@link #interpolate} as the rule for a dat of a mesh that changes.
     *
     * @param components numbers of a vertex
     * @return the rule, for a set whose elements are the vertices in their order
     */
    public CarryOver interpolating(int components) {
        return (old, origins) -> interpolate(old, components);
    }

    /**
     * Returns {@link #project} as the rule for a dat of a mesh that changes.
     *
     * @param components numbers of a vertex
     * @return the rule, for a set whose elements are the vertices in their order
     */
    public CarryOver projecting(int components) {
        return (old, origins) -> project(old, components);
    }

    private void check(double[] values, int components) {
        Checks.positive("number of components", components);
        Checks.length("number of values", values.length, (long) from.vertices() * components);
    }

    /** The intersections of one new element with old ones. */
    private static final class Overlap {
        private final SimplexMesh from;
        private final SimplexMesh to;
        private final ElementLocator locator;
        private final int dimension;
        private final int[] seen;
        private final SimplexClip clip;
        private final double[] low;
        private final double[] high;
        private int current;

        Overlap(SimplexMesh from, SimplexMesh to, ElementLocator locator) {
            this.from = from;
            this.to = to;
            this.locator = locator;
            dimension = from.dimension();
            seen = new int[from.elements()];
            Arrays.fill(seen, -1);
            clip = new SimplexClip(dimension, locator);
            low = new double[dimension];
            high = new double[dimension];
        }

        /** Integrates the field times each hat function of the element. */
        void integrate(int element, double[] values, int components, double[] shares) {
            int width = dimension + 1;
            current = element;
            Arrays.fill(low, Double.POSITIVE_INFINITY);
            Arrays.fill(high, Double.NEGATIVE_INFINITY);
            for (int k = 0; k < width; k++) {
                for (int i = 0; i < dimension; i++) {
                    double x = to.coordinates()[to.corners()[element * width + k] * dimension + i];
                    low[i] = Math.min(low[i], x);
                    high[i] = Math.max(high[i], x);
                }
            }
            locator.visit(low, high, old -> {
                if (seen[old] != current) {
                    seen[old] = current;
                    meet(old, values, components, shares);
                }
            });
        }

        private void meet(int old, double[] values, int components, double[] shares) {
            int width = dimension + 1;
            int pieces = clip.intersect(to, current, old);
            for (int piece = 0; piece < pieces; piece++) {
                double measure = clip.measure(piece) / (width * (width + 1));
                for (int k = 0; k < width; k++) {
                    double all = clip.sum(piece, k);
                    for (int j = 0; j < width; j++) {
                        double product = measure * (all * clip.oldSum(piece, j) + clip.product(piece, k, j));
                        int vertex = from.corners()[old * width + j];
                        for (int c = 0; c < components; c++) {
                            shares[(current * width + k) * components + c] += product * values[vertex * components + c];
                        }
                    }
                }
            }
        }
    }
}
