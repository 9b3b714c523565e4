package org.trellis.adapt;

import java.util.SplittableRandom;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.metric.RasterMetric;
import org.trellis.testing.TestSeed;

/** Meshes and metrics for tests of sweeps over colours. */
public final class SweepCases {
    private static final double INNER_RADIUS = 0.4;

    private SweepCases() {}

    /**
     * Makes a square whose vertices are moved at random.
     *
     * @param n     sides along an edge of the square
     * @param parts whether there are two regions with a straight side between them, if the number of sides is even
     * @return the mesh
     */
    public static SimplexMesh shaken(int n, boolean parts) {
        SplittableRandom random = TestSeed.random("shaken " + n);
        SimplexMesh plain = SimplexMesh.square(n);
        double[] x = plain.coordinates().clone();
        for (int i = 0; i < x.length; i++) {
            if (x[i] > 0 && x[i] < 1 && x[i] != 0.5) {
                x[i] += random.nextDouble(-0.25, 0.25) / n;
            }
        }
        int[] corners = plain.corners();
        int[] regions = new int[plain.elements()];
        for (int e = 0; e < regions.length && parts && n % 2 == 0; e++) {
            double middle = (x[2 * corners[3 * e]] + x[2 * corners[3 * e + 1]] + x[2 * corners[3 * e + 2]]) / 3;
            regions[e] = middle > 0.5 ? 1 : 0;
        }
        return SimplexMesh.of(2, x, corners, regions, new int[0], new int[0]);
    }

    /**
     * Makes a cube whose vertices are moved at random, those of flat sides within them.
     *
     * @param n     sides along an edge of the cube
     * @param parts whether there are two regions with a plane between them, if the number of sides is even
     * @return the mesh
     */
    public static SimplexMesh shakenCube(int n, boolean parts) {
        SplittableRandom random = TestSeed.random("shaken cube " + n);
        SimplexMesh plain = SimplexMesh.cube(n);
        double[] x = plain.coordinates().clone();
        for (int i = 0; i < x.length; i++) {
            if (x[i] > 0 && x[i] < 1 && x[i] != 0.5) {
                x[i] += random.nextDouble(-0.15, 0.15) / n;
            }
        }
        int[] corners = plain.corners();
        int[] regions = new int[plain.elements()];
        for (int e = 0; e < regions.length && parts && n % 2 == 0; e++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                sum += plain.coordinates()[3 * corners[4 * e + k]];
            }
            regions[e] = sum > 2 ? 1 : 0;
        }
        return SimplexMesh.of(3, x, corners, regions, new int[0], new int[0]);
    }

    /**
     * Samples a random metric with all six components, which differ everywhere.
     *
     * @param samples along each axis
     * @return the raster, over more than the unit cube
     */
    public static RasterMetric wavesInSpace(int samples) {
        SplittableRandom random = TestSeed.random("waves " + samples);
        double[] phases = random.doubles(12, -3, 3).toArray();
        double step = 1.2 / (samples - 1);
        double[] tensors = new double[6 * samples * samples * samples];
        for (int i = 0; i < tensors.length / 6; i++) {
            int layer = i / (samples * samples);
            double x = i % samples * step;
            double y = i / samples % samples * step;
            double z = layer * step;
            for (int c = 0; c < 6; c++) {
                double wave = Math.sin(phases[c] + phases[c + 1] * x + phases[c + 3] * y + phases[c + 5] * z);
                tensors[6 * i + c] = c == 0 || c == 3 || c == 5 ? 30 + 15 * wave : 6 * wave;
            }
        }
        return RasterMetric.of(3, new double[]{-0.1, -0.1, -0.1}, new double[]{step, step, step},
                new int[]{samples, samples, samples}, tensors);
    }

    /**
     * Samples a metric with all three components that differ everywhere.
     *
     * @param samples along each axis
     * @return the raster, over more than the unit square
     */
    public static RasterMetric waves(int samples) {
        double[] tensors = new double[3 * samples * samples];
        double step = 1.2 / (samples - 1);
        for (int i = 0; i < samples * samples; i++) {
            int row = i / samples;
            double x = -0.1 + i % samples * step;
            double y = -0.1 + row * step;
            tensors[3 * i] = 60 + 40 * Math.sin(5 * x + y);
            tensors[3 * i + 1] = 20 * Math.cos(3 * x - 4 * y);
            tensors[3 * i + 2] = 90 - 45 * Math.sin(2 * x + 6 * y);
        }
        return RasterMetric.of(2, new double[]{-0.1, -0.1}, new double[]{step, step}, new int[]{samples, samples},
                tensors);
    }

    /**
     * Makes a ring, or a part of one, between circles of radius 0.4 and 1: squares of a polar grid, each cut in two.
     *
     * @param around squares around
     * @param across squares across
     * @param angle  how far around, 2 pi for all
     * @return the mesh
     */
    public static SimplexMesh ring(int around, int across, double angle) {
        boolean closed = angle >= 2 * Math.PI;
        int columns = closed ? around : around + 1;
        double[] x = new double[2 * columns * (across + 1)];
        for (int v = 0; v < x.length / 2; v++) {
            int layer = v / columns;
            double radius = INNER_RADIUS + (1 - INNER_RADIUS) * layer / across;
            x[2 * v] = radius * Math.cos(angle * (v % columns) / around);
            x[2 * v + 1] = radius * Math.sin(angle * (v % columns) / around);
        }
        int[] corners = new int[6 * around * across];
        for (int i = 0; i < around * across; i++) {
            int a = i / around * columns + i % around;
            int b = i / around * columns + (i % around + 1) % columns;
            int[] pair = {a, b, b + columns, a, b + columns, a + columns};
            System.arraycopy(pair, 0, corners, 6 * i, 6);
        }
        return SimplexMesh.of(2, x, corners);
    }
}
