package org.trellis.adapt;

import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Stars;
import org.trellis.adapt.metric.MetricSource;

/**
 * How well a mesh fits a metric.
 *
 * @param mean            the mean quality of elements
 * @param minimum         the least
 * @param histogram       numbers of elements with a quality from 0 to 1 in equal parts; inverted ones count as the
 *                        first
 * @param meanLength      the mean length of edges in the metric
 * @param shortest        the least
 * @param longest         the greatest
 * @param edges           the number of edges
 * @param unitEdges       the share of edges from 1 / sqrt(2) to sqrt(2) long
 * @param inverted        elements without a positive area or volume, exactly
 */
public record MeshQuality(double mean, double minimum, int[] histogram, double meanLength, double shortest,
        double longest, int edges, double unitEdges, int inverted) {
    private static final int PARTS = 20;

    /**
     * Measures a mesh.
     *
     * @param mesh   the mesh
     * @param source the metric
     * @return its quality
     */
    public static MeshQuality of(SimplexMesh mesh, MetricSource source) {
        return of(mesh, source.atAll(mesh.dimension(), mesh.coordinates()));
    }

    /**
     * Measures a mesh.
     *
     * @param mesh   the mesh
     * @param metric a tensor for each vertex
     * @return its quality
     */
    public static MeshQuality of(SimplexMesh mesh, double[] metric) {
        int d = mesh.dimension();
        double sum = 0;
        double least = Double.POSITIVE_INFINITY;
        int[] histogram = new int[PARTS];
        for (int e = 0; e < mesh.elements(); e++) {
            double quality = SimplexQuality.of(d, mesh.coordinates(), metric, mesh.corners(), e * (d + 1));
            sum += quality;
            least = Math.min(least, quality);
            histogram[Math.clamp((int) (quality * PARTS), 0, PARTS - 1)]++;
        }
        EdgeSums edges = new EdgeSums(mesh, metric);
        return new MeshQuality(sum / mesh.elements(), least, histogram, edges.sum / edges.count, edges.least,
                edges.greatest, edges.count, (double) edges.unit / edges.count, mesh.inverted());
    }

    /** Visits each edge once, from its lower end. */
    private static final class EdgeSums {
        private double sum;
        private double least = Double.POSITIVE_INFINITY;
        private double greatest;
        private int count;
        private int unit;

        EdgeSums(SimplexMesh mesh, double[] metric) {
            int width = mesh.dimension() + 1;
            Stars stars = Stars.of(mesh.vertices(), mesh.corners(), width);
            int[] seen = new int[mesh.vertices()];
            for (int v = 0; v < mesh.vertices(); v++) {
                for (int s = stars.offsets()[v]; s < stars.offsets()[v + 1]; s++) {
                    for (int k = 0; k < width; k++) {
                        int other = mesh.corners()[stars.elements()[s] * width + k];
                        if (other > v && seen[other] != v + 1) {
                            seen[other] = v + 1;
                            add(SimplexQuality.edgeLength(mesh.dimension(), mesh.coordinates(), metric, v, other));
                        }
                    }
                }
            }
        }

        private void add(double length) {
            sum += length;
            least = Math.min(least, length);
            greatest = Math.max(greatest, length);
            count++;
            unit += length >= Math.sqrt(0.5) && length <= Math.sqrt(2) ? 1 : 0;
        }
    }
}
