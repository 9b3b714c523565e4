package org.trellis.examples.airfoil;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.backend.HostBackend;
import org.trellis.bench.loop.SetOrder;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.kernel.LoopStyle;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.TestLength;

/**
 * The residuals of Airfoil on a mesh of 1,800 cells against those of OP2's own program (the reference values are facts
 * about the benchmark, measured with OP2), on every backend of the host, scheme and layout.
 */
final class AirfoilTest {
    private static final AirfoilMesh MESH = AirfoilGenerator.generate(20, 30);
    private static final double FIRST = 0.006519696136628173;
    private static final double TENTH = 0.001788696728104013;
    private static final double HUNDREDTH = 0.00020742205475210326;
    private static final int BLOCK = 64;

    /** The schemes of the CPU's worker teams; the others need a GPU. */
    private static final Set<LoopScheme> HOST_SCHEMES = EnumSet.complementOf(
            EnumSet.of(LoopScheme.IN_ORDER, LoopScheme.ATOMICS, LoopScheme.RECOMPUTE));

    /** How a run is made. */
    record Variant(String backend, int threads, LoopScheme scheme, Layout layout, Precision precision, SetOrder order,
            boolean shuffled, boolean fission) {
        /** Ten show that loops are right; a hundred, how errors grow, which does not depend on what only moves data. */
        int iterations() {
            boolean usual = layout == Layout.AOS && precision == Precision.F64;
            return scheme == null && order == SetOrder.FILE && (usual || TestLength.isLong()) ? 100 : 10;
        }

        MeshOptions options() {
            MeshOptions options = MeshOptions.of(Configuration.load()).withLayout(layout).withCheckPlans(true)
                    .withFission(fission);
            return scheme == null ? options : options.withScheme(scheme).withBlockSize(BLOCK);
        }

        Configuration configuration() {
            return Configuration.builder().set(ConfigurationKeys.THREADS, threads)
                    .set(ConfigurationKeys.BACKEND, backend).build();
        }
    }

    static Stream<Variant> variants() {
        List<Variant> variants = new ArrayList<>();
        for (String backend : hostBackends()) {
            for (Precision precision : Precision.values()) {
                // Orders only move data, of either precision.
                boolean ordered = precision == Precision.F64 || TestLength.isLong();
                for (Layout layout : Layout.values()) {
                    variants.add(new Variant(backend, 1, null, layout, precision, SetOrder.FILE, false, false));
                    if (ordered) {
                        variants.add(new Variant(backend, 2, null, layout, precision, SetOrder.RCM, true,
                                !backend.equals("reference")));
                    }
                }
                if (ordered) {
                    variants.add(new Variant(backend, 2, null, Layout.AOS, precision, SetOrder.GPS, true, false));
                    variants.add(
                            new Variant(backend, 2, null, Layout.AOS, precision, SetOrder.PARTITION, true, false));
                }
            }
            if (!backend.equals("reference")) {
                for (LoopScheme scheme : HOST_SCHEMES) {
                    variants.add(
                            new Variant(backend, 2, scheme, Layout.AOS, Precision.F64, SetOrder.FILE, false, false));
                    if (backend.equals("threads") || TestLength.isLong()) {
                        variants.add(
                                new Variant(backend, 2, scheme, Layout.SOA, Precision.F64, SetOrder.RCM, true, false));
                    }
                }
            }
        }
        return variants.stream();
    }

    private static List<String> hostBackends() {
        List<String> names = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                try (Backend backend = Backends.open(provider.name(), Configuration.load())) {
                    if (backend instanceof HostBackend) {
                        names.add(provider.name());
                    }
                }
            }
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("variants")
    void residualsAreThoseOfOp2(Variant variant) {
        try (Backend backend = Backends.open(variant.configuration());
                Mesh mesh = Mesh.on(backend, variant.options())) {
            AirfoilSolver solver = new AirfoilSolver(mesh, MESH, variant.precision());
            if (variant.shuffled()) {
                MeshOrder.shuffle(mesh, new SplittableRandom(1));
            }
            variant.order().apply(solver.edgeCells(), BLOCK);
            vectorise(solver, backend);
            double[] rms = new double[variant.iterations()];
            for (int i = 0; i < rms.length; i++) {
                rms[i] = solver.iterate();
            }
            boolean single = variant.precision() == Precision.F32;
            assertEquals(1, rms[0] / FIRST, single ? 1e-4 : 1e-12);
            assertEquals(1, rms[9] / TENTH, single ? 1e-3 : 1e-12);
            if (rms.length == 100) {
                assertEquals(1, rms[99] / HUNDREDTH, single ? 5e-2 : 1e-11);
            }
        }
    }

    /** Iterations as chains: noted or declared, fused or in tiles, with and without redundancy. */
    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd"})
    void chainsGiveTheSameResiduals(String name) {
        List<ChainOptions> variants = List.of(ChainOptions.EAGER.withLazy(true).withFusion(Fusion.ON),
                ChainOptions.EAGER.withLazy(true).withTiling(Tiling.SPARSE, 70),
                ChainOptions.EAGER.withLazy(true).withTiling(Tiling.REDUNDANT, 300).withLimit(20),
                ChainOptions.EAGER.withTiling(Tiling.SPARSE, 200), ChainOptions.EAGER.withTiling(Tiling.REDUNDANT, 0));
        for (ChainOptions chains : variants) {
            MeshOptions options = MeshOptions.of(Configuration.load()).withCheckPlans(true).withChains(chains);
            try (Backend backend = Backends.open(
                    Configuration.builder().set(ConfigurationKeys.THREADS, 2).set(ConfigurationKeys.BACKEND, name)
                            .build());
                    Mesh mesh = Mesh.on(backend, options)) {
                AirfoilSolver solver = new AirfoilSolver(mesh, MESH, Precision.F64);
                double first = solver.iterate();
                assertEquals(1, first / FIRST, 1e-12, chains::toString);
                for (int i = 1; i < 10; i++) {
                    solver.advance();
                }
                assertEquals(1, solver.residual() / TENTH, 1e-12, chains::toString);
                if (TestLength.isLong()) {
                    for (int i = 10; i < 100; i++) {
                        solver.advance();
                    }
                    assertEquals(1, solver.residual() / HUNDREDTH, 1e-11, chains::toString);
                }
            }
        }
    }

    /** The rule of {@code simd} leaves loops over so few elements scalar; here they are to be tried. */
    static void vectorise(AirfoilSolver solver, Backend backend) {
        if ("simd".equals(backend.name())) {
            solver.loops().forEach(loop -> loop.parameters(loop.parameters().withStyle(LoopStyle.SIMD)));
        }
    }

    /** In a JVM of its own, whose compiler has seen no other use of these loops. */
    @Test
    void iterationsAllocateNothing(@TempDir Path folder) throws IOException, InterruptedException {
        requireNoAllocation("threads", folder);
    }

    @Test
    @Tag("nightly")
    void iterationsOnVectorsAllocateNothing(@TempDir Path folder) throws IOException, InterruptedException {
        requireNoAllocation("simd", folder);
    }

    private static void requireNoAllocation(String name, Path folder) throws IOException, InterruptedException {
        assumeTrue(hostBackends().contains(name), name + " is not there");
        long each = AllocationProgram.start(name, folder.resolve("printed"));
        assertTrue(each < AllocationProgram.NOTHING, name + " allocates " + each + " bytes an iteration");
    }
}
