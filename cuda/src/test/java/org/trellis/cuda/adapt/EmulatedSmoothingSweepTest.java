package org.trellis.cuda.adapt;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/** Generated code of sweeps that runs on the host; most of it is asked for as that of other loops. */
class EmulatedSmoothingSweepTest {
    @TempDir
    private static Path folder;

    @Test
    void smoothsToTextures() {
        try (Backend device = EmulatedGpu.in(folder).open()) {
            SweepOnDevice.textures(device, 8);
        }
    }

    @Test
    void smoothsToRasters() {
        try (Backend device = asked()) {
            SweepOnDevice.rasters(device, 10);
        }
    }

    @Test
    void smoothsTetrahedra() {
        try (Backend device = asked()) {
            SweepOnDevice.rastersInSpace(device, 3);
        }
    }

    @Test
    void goesUphill() {
        try (Backend device = asked()) {
            SweepOnDevice.climbs(device, 2);
        }
    }

    @Test
    void leavesSplinesToTheHost() {
        try (Backend device = asked()) {
            SweepOnDevice.splines(device);
        }
    }

    @Test
    void smoothsWithSharedColours() {
        try (Backend device = asked()) {
            SweepOnDevice.sharedColours(device, 10);
        }
    }

    @Test
    void adapts() {
        try (Backend device = asked()) {
            SweepOnDevice.adapts(device, 5);
        }
    }

    @Test
    void smoothsToMetricsOfFormulas() {
        try (Backend device = asked()) {
            SweepOnDevice.formulas(device, 10);
        }
    }

    @MustBeClosed
    private static Backend asked() {
        Assumptions.assumeFalse(System.getProperty("trellis.test.emulation", "").isEmpty(),
                "takes minutes: asked for with -Dtrellis.test.emulation=some or =all");
        return EmulatedGpu.in(folder).open();
    }
}
