package org.trellis.examples.tsunami;

import java.util.Arrays;

/** The scheme by plain calls of the kernels, one element after the other: what the solver is compared with. */
final class SequentialTsunami {
    private final MeshTopology topology;
    private final double[] faces;
    private final double[][] state;
    private final double[][] middle;
    private final double[][] gain;
    private final double[][] flux;
    private final double[][] speed;
    private final double[] settings;
    private final double[] courant;

    SequentialTsunami(MeshTopology topology, double[] initial, Settings settings) {
        this.topology = topology;
        this.faces = topology.faces();
        this.state = new double[topology.cells()][];
        Arrays.setAll(state, cell -> Arrays.copyOfRange(initial, 4 * cell, 4 * cell + 4));
        this.middle = new double[topology.cells()][4];
        this.gain = new double[topology.cells()][3];
        this.flux = new double[topology.edges()][5];
        this.speed = new double[topology.edges()][1];
        this.settings = settings.toArray();
        this.courant = new double[]{settings.courant()};
    }

    double[] state() {
        return Arrays.stream(state).flatMapToDouble(Arrays::stream).toArray();
    }

    private double[] area(int cell) {
        return new double[]{topology.areas()[cell]};
    }

    private void fluxes(double[][] q) {
        int[] cells = topology.edgeCells();
        for (int edge = 0; edge < topology.edges(); edge++) {
            ShallowWater.computeFlux(q[cells[2 * edge]], q[cells[2 * edge + 1]],
                    Arrays.copyOfRange(faces, 3 * edge, 3 * edge + 3), new int[]{topology.kinds()[edge]}, flux[edge],
                    speed[edge], settings);
        }
    }

    private void gains() {
        int[] cells = topology.edgeCells();
        for (int edge = 0; edge < topology.edges(); edge++) {
            ShallowWater.spaceDiscretisation(flux[edge], new int[]{topology.kinds()[edge]}, gain[cells[2 * edge]],
                    gain[cells[2 * edge + 1]]);
        }
    }

    double step(double limit) {
        double[] step = {limit};
        fluxes(state);
        for (int cell = 0; cell < topology.cells(); cell++) {
            int[] edges = topology.cellEdges();
            ShallowWater.numericalFlux(speed[edges[3 * cell]], speed[edges[3 * cell + 1]], speed[edges[3 * cell + 2]],
                    area(cell), step, courant[0]);
        }
        gains();
        for (int cell = 0; cell < topology.cells(); cell++) {
            ShallowWater.rungeKutta1(state[cell], gain[cell], area(cell), middle[cell], step, settings);
        }
        fluxes(middle);
        gains();
        for (int cell = 0; cell < topology.cells(); cell++) {
            ShallowWater.rungeKutta2(state[cell], middle[cell], gain[cell], area(cell), step, settings);
        }
        return step[0];
    }

    void run(double time) {
        double now = 0;
        while (now < time) {
            now += step(time - now);
        }
    }
}
