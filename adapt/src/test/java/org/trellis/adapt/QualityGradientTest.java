package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.MetricSource;

class QualityGradientTest {
    /** Against central differences, in a metric that is constant. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void isTheSlopeOfTheQuality(int d) {
        MetricSource constant = (x, o, metric, p) -> {
            double[] tensor = d == 2 ? new double[]{30, 5, 12} : new double[]{30, 5, 1, 12, -3, 9};
            System.arraycopy(tensor, 0, metric, p, tensor.length);
        };
        try (Team team = new Team(1)) {
            CavityMesh mesh = new CavityMesh(d == 2 ? SimplexMesh.square(3) : SimplexMesh.cube(2), constant,
                    team);
            assertEquals(1, team.threads());
            QualityGradient gradient = new QualityGradient(mesh);
            double[] slope = new double[d];
            for (int e = 0; e < mesh.elements; e++) {
                for (int c = 0; c <= d; c++) {
                    int vertex = mesh.corners[e * (d + 1) + c];
                    gradient.of(e, vertex, slope);
                    for (int k = 0; k < d; k++) {
                        assertEquals(difference(mesh, e, vertex * d + k), slope[k], 1e-6, "element " + e);
                    }
                }
            }
        }
    }

    private static double difference(CavityMesh mesh, int element, int coordinate) {
        double h = 1e-6;
        double at = mesh.coordinates[coordinate];
        mesh.coordinates[coordinate] = at + h;
        double above = mesh.qualityOf(mesh.corners, element * mesh.width);
        mesh.coordinates[coordinate] = at - h;
        double below = mesh.qualityOf(mesh.corners, element * mesh.width);
        mesh.coordinates[coordinate] = at;
        return (above - below) / (2 * h);
    }

    @Test
    void shortestCombinationIsThatOfGeometry() {
        double[] result = new double[3];
        double[] vectors = {2, 1, 2, -1, 5, 5};
        assertTrue(ShortestCombination.of(2, vectors, new int[]{0, 1, 2}, 3, result));
        assertEquals(2, result[0], 1e-14);
        assertEquals(0, result[1], 1e-14);
        double[] around = {1, 0, -1, 1, -1, -1};
        assertEquals(false, ShortestCombination.of(2, around, new int[]{0, 1, 2}, 3, result));
        double[] inSpace = {1, 1, 0, 1, -1, 1, 1, -1, -1};
        assertTrue(ShortestCombination.of(3, inSpace, new int[]{0, 1, 2}, 3, result));
        assertEquals(1, result[0], 1e-14);
        assertEquals(0, result[1], 1e-14);
        assertEquals(0, result[2], 1e-14);
    }
}
