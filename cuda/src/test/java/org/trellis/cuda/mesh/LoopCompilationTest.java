package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.cuda.TestNvcc;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.ElementTables;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.Formulation;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.testing.TestSeed;

/**
 * Compiles generated loops with nvcc where it is found, for every kind of loop, scheme, layout and precision, many in
 * one call, each in a namespace of its own. Each run takes some of them at random; with
 * {@code -Dtrellis.test.emulation=all} it takes all.
 */
@Tag("nightly")
class LoopCompilationTest {
    private static final int TAKEN = 24;
    /** The compiler spills a few bytes where that lets more threads be resident. */
    private static final int MOST_SPILLED = 64;
    private static final Pattern STRIDE = Pattern.compile("\\bSTRIDE_\\w+");
    private static final Pattern SPILLS = Pattern.compile("([1-9]\\d*) bytes spill stores");

    @TempDir
    private Path folder;

    /** Addresses of nothing: sources are written without a device. */
    private enum Nowhere implements LoopOperands.Addresses {
        NOWHERE;

        @Override
        public long of(Object array) {
            throw new IllegalStateException();
        }

        @Override
        public long table(List<int[]> columns) {
            throw new IllegalStateException();
        }

        @Override
        public long texture(float[] values, int width, int height) {
            throw new IllegalStateException();
        }

        @Override
        public long of(Dat dat) {
            throw new IllegalStateException();
        }

        @Override
        public long contributions(int argument) {
            throw new IllegalStateException();
        }

        @Override
        public long partials(int argument) {
            throw new IllegalStateException();
        }

        @Override
        public long value(int argument) {
            throw new IllegalStateException();
        }

        @Override
        public long result(int argument) {
            throw new IllegalStateException();
        }

        @Override
        public long counter() {
            throw new IllegalStateException();
        }
    }

    @Test
    void compilesForEveryLoopAndScheme() throws IOException, InterruptedException {
        Path nvcc = TestNvcc.path();
        Map<String, KernelSource> sources = new LinkedHashMap<>();
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            for (Precision precision : Precision.values()) {
                for (Layout layout : Layout.values()) {
                    MeshOptions options = new MeshOptions(layout, Optional.empty(), Optional.empty(), false, false);
                    try (LoopCases cases = new LoopCases(reference, options, new int[]{257, 300}, precision, 1)) {
                        cases.loops().forEach(loop -> addSources(sources, loop));
                    }
                }
            }
        }
        List<KernelSource> some = new ArrayList<>(sources.values());
        SplittableRandom random = TestSeed.random("compilesForEveryLoopAndScheme");
        while (some.size() > TAKEN && !"all".equals(System.getProperty("trellis.test.emulation"))) {
            some.remove(random.nextInt(some.size()));
        }
        assertTrue(sources.size() > 200, sources.size() + " sources");
        compile(nvcc, some);
    }

    /** Matrices of cubes of degree 2, in the schemes that have them and in one that refuses. */
    @Test
    void compilesLoopsThroughHundredsOfColumns() throws IOException, InterruptedException {
        Path nvcc = TestNvcc.path();
        LagrangeElement cube = LagrangeElement.of(ElementShape.HEXAHEDRON, 2);
        FormKernels kernels = new FormKernels(
                ElementTables.of(cube, LagrangeElement.of(ElementShape.HEXAHEDRON, 1)), 1,
                new FormKernels.Field(new double[]{1}, 1, false), null, null);
        int pairs = cube.nodes() * cube.nodes();
        try (Backend reference = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(reference)) {
            MeshSet cells = mesh.set("cells", 1);
            MeshSet entries = mesh.set("entries", pairs);
            MeshMap corners =
                    mesh.map("corners", cells, mesh.set("points", 8), 8, IntStream.range(0, 8).toArray());
            ParallelLoop loop = mesh.loop(kernels.assemble(Formulation.GLOBAL_REUSE), cells,
                    mesh.dat("x", corners.to(), 3, Precision.F64).at(corners),
                    mesh.dat("values", entries, 1, Precision.F64).at(
                            mesh.map("places", cells, entries, pairs, IntStream.range(0, pairs).toArray())));
            List<KernelSource> sources = new ArrayList<>();
            for (LoopScheme scheme : List.of(LoopScheme.TWO_LEVEL, LoopScheme.ATOMICS, LoopScheme.TEMPORARY)) {
                LoopParameters parameters =
                        LoopParameters.of(scheme).withBlockSize(64).withDevice(LoopDeviceParameters.NONE);
                assertEquals(Optional.empty(), CudaLoopConstraints.objection(loop.declaration(), parameters));
                sources.addAll(sources(loop.declaration(), parameters));
            }
            LoopParameters owned = LoopParameters.of(LoopScheme.OWNER_COMPUTE).withBlockSize(64);
            assertTrue(CudaLoopConstraints.objection(loop.declaration(), owned).orElseThrow()
                    .contains("hundreds of columns"));
            compile(nvcc, sources);
        }
    }

    private static void addSources(Map<String, KernelSource> sources, ParallelLoop loop) {
        List<LoopParameters> space = new ArrayList<>(CudaLoopRule.space(loop.declaration()));
        for (Staging staging : Staging.values()) {
            space.add(LoopParameters.of(LoopScheme.ATOMICS)
                    .withDevice(LoopDeviceParameters.NONE.withStaging(staging).withRegisters(64)));
        }
        for (LoopParameters parameters : space) {
            if (CudaLoopConstraints.objection(loop.declaration(), parameters).isEmpty()) {
                for (KernelSource source : sources(loop.declaration(), parameters)) {
                    sources.put(source.text() + source.options(), source);
                }
            }
        }
    }

    private static List<KernelSource> sources(LoopDeclaration loop, LoopParameters parameters) {
        LoopTables tables = new LoopTables(loop);
        Contributions contributions = new Contributions(loop, parameters.fission(), parameters.device().transposed());
        List<KernelSource> sources = new ArrayList<>();
        LoopForm form = LoopForm.of(loop, parameters);
        List<LoopForm> forms = parameters.fission() && parameters.scheme() != LoopScheme.TEMPORARY
                ? List.of(LoopForm.storing(parameters.device()), form.addingStored())
                : List.of(form);
        for (LoopForm one : forms) {
            BlockTables blocks = one.blocks() || one.listed() ? BlockTables.of(tables, one, parameters) : null;
            sources.add(new LoopSource(tables, one, blocks, contributions, 256, Nowhere.NOWHERE, true)
                    .source(parameters.device().registers()));
        }
        if (parameters.scheme() == LoopScheme.TEMPORARY) {
            for (int dat : GatherSource.targets(tables)) {
                sources.add(new GatherSource(tables, contributions, dat, 256, Nowhere.NOWHERE).source());
            }
        }
        return sources;
    }

    private void compile(Path nvcc, List<KernelSource> sources) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder();
        for (KernelSource source : sources) {
            append(text, "kernel" + text.length(), source);
        }
        Files.writeString(folder.resolve("all.cu"), text);
        Process process = new ProcessBuilder(nvcc.toString(), "-arch=sm_90", "--std=c++17", "-cubin",
                "--split-compile=0", "-Xptxas", "-v",
                "-Werror", "all-warnings", "-diag-suppress", "177", "all.cu", "-o", "all.cubin")
                .directory(folder.toFile())
                .redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), log);
        Matcher spills = SPILLS.matcher(log);
        while (spills.find()) {
            assertTrue(Integer.parseInt(spills.group(1)) <= MOST_SPILLED, log);
        }
        assertEquals(sources.size(), log.split("Compiling entry function", -1).length - 1, log);
    }

    private void append(StringBuilder text, String name, KernelSource source) throws IOException {
        text.append("namespace ").append(name).append(" {\n#undef loop\n#undef gather\n#define loop loop").append(name)
                .append("\n#define gather gather").append(name).append('\n');
        // All kernels are compiled as one file here, and parameters of several have the same name.
        STRIDE.matcher(source.text()).results().map(MatchResult::group).distinct()
                .forEach(macro -> text.append("#undef ").append(macro).append('\n'));
        for (String option : source.options()) {
            if (option.startsWith("-D")) {
                String[] parts = option.substring("-D".length()).split("=", 2);
                text.append("#undef ").append(parts[0]).append("\n#define ").append(parts[0]).append(' ')
                        .append(parts[1]).append('\n');
            }
        }
        text.append(source.text()).append("}\n");
        for (Map.Entry<String, String> header : source.headers().entrySet()) {
            Files.writeString(folder.resolve(header.getKey()), header.getValue());
        }
    }
}
