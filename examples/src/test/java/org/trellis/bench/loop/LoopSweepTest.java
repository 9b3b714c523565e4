package org.trellis.bench.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.Device;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.examples.airfoil.AirfoilGenerator;
import org.trellis.examples.airfoil.AirfoilSolver;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.Layout;

/** The sweep of Airfoil, on a backend of the host with a clock that it lacks otherwise. */
class LoopSweepTest {
    /** Runs the work and says that it took a second. */
    private static final class Clock implements DeviceTiming {
        @Override
        public void synchronize() {
            // Nothing is under way on a host.
        }

        @Override
        public double[] time(int repetitions, Runnable work) {
            work.run();
            double[] seconds = new double[repetitions];
            Arrays.fill(seconds, 1);
            return seconds;
        }

        @Override
        public double copyBandwidth() {
            return 1e9;
        }
    }

    private record Timed(Backend backend) implements Backend {
        @Override
        public String name() {
            return backend.name();
        }

        @Override
        public Device device() {
            return backend.device();
        }

        @Override
        public <K> K kernels(Class<K> kernelInterface) {
            return kernelInterface == DeviceTiming.class
                    ? kernelInterface.cast(new Clock())
                    : backend.kernels(kernelInterface);
        }

        @Override
        @MustBeClosed
        public DenseVector vector(Precision precision, int length) {
            return backend.vector(precision, length);
        }

        @Override
        public void close() {
            backend.close();
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void measuresEachLoopAndComparesWhatItAdds() throws IOException {
        MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false);
        List<LoopSweep.Result> results = new ArrayList<>();
        try (Backend backend = new Timed(Backends.open("threads", Configuration.load()));
                Mesh mesh = Mesh.on(backend, options)) {
            AirfoilSolver solver = new AirfoilSolver(mesh, AirfoilGenerator.generate(6, 8), Precision.F64);
            solver.iterate();
            LoopSweep sweep = new LoopSweep(backend);
            for (SweepLayout layout : List.of(SweepLayout.SOA, SweepLayout.MIXED)) {
                results.addAll(sweep.run(SetOrder.FILE, layout, solver.loops()));
            }
            assertEquals(Layout.AOS, solver.state().layout());
            assertEquals(Layout.SOA, solver.loops().get(2).declaration().dat(7).layout(), "the residual");
        }
        assertEquals(10, results.stream().filter(LoopSweep.Result::proposed).count());
        assertTrue(results.stream().allMatch(r -> r.difference() <= LoopSweep.tolerance(Precision.F64)));
        long schemes = results.stream().filter(r -> r.report().name().equals("Airfoil.flux"))
                .map(r -> r.report().parameters().scheme()).distinct().count();
        assertTrue(schemes > 3, schemes + " schemes of flux");
        SweepResults all = new SweepResults("c-mesh", "host", Precision.F64, 1e9, results);
        assertTrue(all.text().contains("(chosen)"), all.text());
        JsonNode json = new ObjectMapper().readTree(all.json("trellis"));
        assertEquals(results.size(), json.get("measurements").size());
        assertEquals("mixed", json.get("measurements").get(results.size() - 1).get("layout").asText());
    }
}
