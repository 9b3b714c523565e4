package org.trellis.adapt;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.trellis.adapt.geometry.ElementLocator;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.DatTransfer;

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
     * Projects values of elements, such as those of finite volumes: each new element gets the mean of the old values
     * over it, integrated exactly over all intersections. Keeps the integral but for rounding, a constant to the last
     * bit, and the range of values. An element takes from old ones of its own region only, so fronts on the boundary
     * of regions stay as they are.
     *
     * @param values     the field, {@code components} numbers for each old element
     * @param components numbers of an element, at least 1
     * @return as many for each new element
     * @throws IllegalArgumentException if there are not that many values, or a new element meets no old one of its
     *                                  region
     */
    public double[] projectElements(double[] values, int components) {
        checkElements(values, components);
        double[] result = new double[to.elements() * components];
        ParallelRanges.run(to.elements(), GRAIN, () -> new Overlap(from, to, locator), (first, last, overlap) -> {
            for (int e = first; e < last; e++) {
                overlap.average(e, values, components, result);
            }
        });
        return result;
    }

    /**
     * Gives each new element the value of the old one that its centre lies in. Keeps values, not integrals.
     *
     * @param values     the field, {@code components} numbers for each old element
     * @param components numbers of an element, at least 1
     * @return as many for each new element
     * @throws IllegalArgumentException if there are not that many values
     */
    public double[] sampleElements(double[] values, int components) {
        checkElements(values, components);
        int width = dimension + 1;
        double[] result = new double[to.elements() * components];
        ParallelRanges.run(to.elements(), GRAIN, (first, last) -> {
            double[] weights = new double[width];
            double[] centre = new double[dimension];
            for (int e = first; e < last; e++) {
                Arrays.fill(centre, 0);
                for (int i = 0; i < width * dimension; i++) {
                    centre[i % dimension] += to.coordinates()[to.corners()[e * width + i / dimension] * dimension
                            + i % dimension] / width;
                }
                System.arraycopy(values, locator.locate(centre, 0, weights) * components, result, e * components,
                        components);
            }
        });
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
    public DatTransfer interpolating(int components) {
        return (old, origins) -> interpolate(old, components);
    }

    /**
     * Returns {@link #project} as the rule for a dat of a mesh that changes.
     *
     * @param components numbers of a vertex
     * @return the rule, for a set whose elements are the vertices in their order
     */
    public DatTransfer projecting(int components) {
        return (old, origins) -> project(old, components);
    }

    private void checkElements(double[] values, int components) {
        Checks.positive("number of components", components);
        Checks.length("number of values", values.length, (long) from.elements() * components);
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
            visit(element, old -> meet(old, values, components, shares));
        }

        /** Averages values of old elements: the first, and the mean difference to it, which is 0 for constants. */
        void average(int element, double[] values, int components, double[] means) {
            double[] sums = new double[components];
            double[] measure = new double[1];
            int[] first = {-1};
            visit(element, old -> {
                if (from.regions()[old] != to.regions()[element]) {
                    return;
                }
                double share = 0;
                for (int piece = clip.intersect(to, element, old) - 1; piece >= 0; piece--) {
                    share += clip.measure(piece);
                }
                if (share > 0) {
                    first[0] = first[0] < 0 ? old : first[0];
                    measure[0] += share;
                    for (int c = 0; c < components; c++) {
                        sums[c] += share * (values[old * components + c] - values[first[0] * components + c]);
                    }
                }
            });
            if (first[0] < 0) {
                throw new IllegalArgumentException("element " + element + " of region " + to.regions()[element]
                        + " meets no element of that region of the other mesh, expected meshes of the same regions");
            }
            for (int c = 0; c < components; c++) {
                means[element * components + c] = values[first[0] * components + c] + sums[c] / measure[0];
            }
        }

        /** Visits each old element whose box may meet that of a new one, once. */
        private void visit(int element, IntConsumer visitor) {
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
                    visitor.accept(old);
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
