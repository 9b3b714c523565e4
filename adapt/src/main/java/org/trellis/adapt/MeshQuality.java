package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Stars;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.common.Predicates;

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
    private static final int GRAIN = 1024;

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
        try (Team team = new Team(1)) {
            return of(mesh, metric, team);
        }
    }

    /** Measures pieces of fixed size and adds them up in order, so that threads are of no effect. */
    static MeshQuality of(SimplexMesh mesh, double[] metric, Team team) {
        int d = mesh.dimension();
        Stars stars = Stars.of(mesh.vertices(), mesh.corners(), d + 1);
        Sums[] elements = new Sums[Math.ceilDiv(mesh.elements(), GRAIN)];
        team.run(elements.length, 1, () -> elements, (from, to, all) -> {
            for (int piece = from; piece < to; piece++) {
                all[piece] = new Sums();
                for (int e = piece * GRAIN; e < Math.min(mesh.elements(), (piece + 1) * GRAIN); e++) {
                    all[piece].addElement(mesh, metric, e);
                }
            }
        });
        Sums[] edges = new Sums[Math.ceilDiv(mesh.vertices(), GRAIN)];
        team.run(edges.length, 1, () -> edges, (from, to, all) -> {
            for (int piece = from; piece < to; piece++) {
                all[piece] = new Sums();
                for (int v = piece * GRAIN; v < Math.min(mesh.vertices(), (piece + 1) * GRAIN); v++) {
                    all[piece].addEdges(mesh, metric, stars, v);
                }
            }
        });
        Sums shape = Sums.of(elements);
        Sums length = Sums.of(edges);
        return new MeshQuality(shape.sum / mesh.elements(), shape.least, shape.histogram, length.sum / length.count,
                length.least, length.greatest, length.count, (double) length.unit / length.count, shape.inverted);
    }

    /** What has been seen of elements or edges. */
    private static final class Sums {
        private final int[] histogram = new int[PARTS];
        private double sum;
        private double least = Double.POSITIVE_INFINITY;
        private double greatest;
        private int count;
        private int unit;
        private int inverted;
        private int[] seen = new int[16];

        static Sums of(Sums[] pieces) {
            Sums all = new Sums();
            for (Sums piece : pieces) {
                all.sum += piece.sum;
                all.least = Math.min(all.least, piece.least);
                all.greatest = Math.max(all.greatest, piece.greatest);
                all.count += piece.count;
                all.unit += piece.unit;
                all.inverted += piece.inverted;
                for (int i = 0; i < PARTS; i++) {
                    all.histogram[i] += piece.histogram[i];
                }
            }
            return all;
        }

        private void add(double value) {
            sum += value;
            least = Math.min(least, value);
            greatest = Math.max(greatest, value);
            count++;
        }

        void addElement(SimplexMesh mesh, double[] metric, int element) {
            int d = mesh.dimension();
            int first = element * (d + 1);
            double quality = SimplexQuality.of(d, mesh.coordinates(), metric, mesh.corners(), first);
            add(quality);
            histogram[Math.clamp((int) (quality * PARTS), 0, PARTS - 1)]++;
            inverted += Predicates.orientation(d, mesh.coordinates(), mesh.corners(), first) <= 0 ? 1 : 0;
        }

        /** Visits each edge once, from its lower end. */
        void addEdges(SimplexMesh mesh, double[] metric, Stars stars, int vertex) {
            int width = mesh.dimension() + 1;
            int known = 0;
            for (int s = stars.offsets()[vertex]; s < stars.offsets()[vertex + 1]; s++) {
                for (int k = 0; k < width; k++) {
                    int other = mesh.corners()[stars.elements()[s] * width + k];
                    if (other > vertex && !isKnown(other, known)) {
                        seen = known < seen.length ? seen : Arrays.copyOf(seen, 2 * known);
                        seen[known++] = other;
                        double length =
                                SimplexQuality.edgeLength(mesh.dimension(), mesh.coordinates(), metric, vertex, other);
                        add(length);
                        unit += length >= Math.sqrt(0.5) && length <= Math.sqrt(2) ? 1 : 0;
                    }
                }
            }
        }

        private boolean isKnown(int vertex, int known) {
            for (int i = 0; i < known; i++) {
                if (seen[i] == vertex) {
                    return true;
                }
            }
            return false;
        }
    }
}
