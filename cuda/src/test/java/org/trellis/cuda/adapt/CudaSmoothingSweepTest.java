package org.trellis.cuda.adapt;

import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

class CudaSmoothingSweepTest {
    private static final int SIDES = 60;

    @Test
    void smoothsTetrahedra() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.rastersInSpace(device, 12);
        }
    }

    @Test
    void goesUphill() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.climbs(device, 10);
        }
    }

    @Test
    void leavesSplinesToTheHost() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.splines(device);
        }
    }

    @Test
    void smoothsWithSharedColours() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.sharedColours(device, SIDES);
        }
    }

    @Test
    void adapts() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.adapts(device, 20);
        }
    }

    @Test
    void smoothsToMetricsOfFormulas() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.formulas(device, SIDES);
        }
    }

    @Test
    void smoothsToRasters() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.rasters(device, SIDES);
        }
    }

    @Test
    void smoothsToTextures() {
        try (Backend device = TestGpu.open()) {
            SweepOnDevice.textures(device, SIDES);
        }
    }
}
