package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.mesh.loop.SequenceReport;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/**
 * What the parallel loops of every backend must do: agree with {@code reference} on awkward meshes, with all parameters
 * that the backend offers, in every layout, precision and numbering; give the same bits twice. A backend's test extends
 * this class and opens the backend.
 */
public abstract class LoopKernelsContract {
    /** The most parameter sets tried on one loop; a larger space is sampled. */
    private static final int MAXIMUM_PARAMETER_SETS = 10;

    private static final MeshOptions OPTIONS = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false,
            true);

    /**
     * Opens the backend under test, which the test closes.
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /** A sequence makes fewer native calls in a run than its loops do, so it takes longer until they are compiled. */
    private static final int SEQUENCE_WARM_UP = 10;

    private static int samples;

    /**
     * Says whether the heap is checked while loops run.
     *
     * @return false if what stands in for a device allocates
     */
    protected boolean watchesHeap() {
        return true;
    }

    /**
     * Returns how many runs come before the heap is watched.
     *
     * @return as many as it takes until native calls are compiled
     */
    protected int warmUpRuns() {
        return 200;
    }

    /**
     * Returns how many sets of parameters are compared with the reference for each loop, size and layout.
     *
     * @return a number that does not take long
     */
    protected int parametersTried() {
        return MAXIMUM_PARAMETER_SETS;
    }

    /**
     * Lists parameters that give the right results but not the same bits in each run, and so are not among those that
     * the backend offers.
     *
     * @return parameters; those that a loop cannot be run with are left out
     */
    protected List<LoopParameters> unrepeatable() {
        return List.of();
    }

    @MustBeClosed
    private static Backend reference() {
        return Backends.open("reference", Configuration.load());
    }

    /**
     * Agrees with the reference for all parameters.
     *
     * @param precision the precision of the dats
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void agreesWithReference(Precision precision) {
        try (Backend backend = openBackend(); Backend reference = reference()) {
            for (int[] size : RandomMesh.SIZES) {
                for (Layout layout : Layout.values()) {
                    long seed = TestSeed.random("agreesWithReference" + precision + layout).nextLong();
                    try (LoopCases expected = new LoopCases(reference, OPTIONS, size, precision, seed);
                            LoopCases actual =
                                    new LoopCases(backend, OPTIONS.withLayout(layout), size, precision, seed)) {
                        for (int number = 0; number < actual.loops().size(); number++) {
                            compare(expected, actual, number);
                        }
                    }
                }
            }
        }
    }

    private void compare(LoopCases expected, LoopCases actual, int number) {
        expected.restart();
        expected.loops().get(number).run();
        ParallelLoop loop = actual.loops().get(number);
        List<LoopParameters> tried = sample(space(actual, loop));
        unrepeatable().stream().filter(p -> actual.mesh().kernels().constraint(loop.declaration(), p).isEmpty())
                .forEach(tried::add);
        for (LoopParameters parameters : tried) {
            actual.restart();
            loop.parameters(parameters).run();
            String context = loop + ", layout " + actual.mesh().options().layout() + ", seed " + TestSeed.value();
            expected.requireSame(actual, context);
        }
    }

    /** Whole numbers that become too large wrap as in Java: increments through maps, direct ones and sums. */
    @Test
    void wholeNumbersWrap() {
        int edges = 300;
        int nodes = 57;
        int[] marks = new int[edges];
        int[] table = new int[2 * edges];
        int[] first = new int[nodes];
        int[] second = new int[nodes];
        Arrays.fill(first, Integer.MAX_VALUE - 2);
        Arrays.fill(second, Integer.MAX_VALUE);
        int sum = Integer.MIN_VALUE;
        for (int e = 0; e < edges; e++) {
            marks[e] = e % 2 == 0 ? 1_500_000_000 + e : 7 - e;
            table[2 * e] = e % nodes;
            table[2 * e + 1] = (e + 1) % nodes;
            first[table[2 * e]] += marks[e];
            second[table[2 * e + 1]] += 1;
            sum += marks[e];
        }
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend, OPTIONS)) {
            MeshSet from = mesh.set("edges", edges);
            MeshMap ends = mesh.map("ends", from, mesh.set("nodes", nodes), 2, table);
            Dat mark = mesh.intDat("mark", from, 1, marks);
            Dat one = mesh.intDat("one", ends.to(), 1);
            Dat other = mesh.intDat("other", ends.to(), 1);
            Global total = mesh.intGlobal("total", 0);
            ParallelLoop loop = mesh.loop(CaseKernelsLoops.WHOLE, from, mark, one.at(ends, 0), other.at(ends, 1),
                    total, mesh.intGlobal("least", 0), mesh.intGlobal("most", 0));
            for (LoopParameters parameters : sample(mesh.kernels().parameterSpace(loop.declaration()))) {
                one.fill(Integer.MAX_VALUE - 2);
                other.fill(Integer.MAX_VALUE);
                total.set(Integer.MIN_VALUE);
                loop.parameters(parameters).run();
                assertArrayEquals(first, one.toIntArray(), parameters::toString);
                assertArrayEquals(second, other.toIntArray(), parameters::toString);
                assertEquals(sum, total.get(), parameters::toString);
            }
        }
    }

    private List<LoopParameters> sample(List<LoopParameters> space) {
        List<LoopParameters> sample = new ArrayList<>(space);
        Collections.shuffle(sample, new Random(TestSeed.value() ^ samples++));
        return new ArrayList<>(sample.subList(0, Math.min(sample.size(), parametersTried())));
    }

    private static List<LoopParameters> space(LoopCases cases, ParallelLoop loop) {
        return cases.mesh().kernels().parameterSpace(loop.declaration());
    }

    /** Offers each way of running a loop once, the rule's among them, and accepts what it offers. */
    @Test
    void ruleAndSpaceAgree() {
        try (Backend backend = openBackend();
                LoopCases cases = new LoopCases(backend, OPTIONS, new int[]{101, 57}, Precision.F64, 1)) {
            for (ParallelLoop loop : cases.loops()) {
                List<LoopParameters> space = space(cases, loop);
                LoopKernels kernels = cases.mesh().kernels();
                assertEquals(space.size(), new HashSet<>(space).size(), loop + ": parameters are repeated");
                assertTrue(space.contains(kernels.rule(loop.declaration())),
                        loop + ": the rule's are not in the space");
                space.forEach(p -> assertEquals(Optional.empty(), kernels.constraint(loop.declaration(), p)));
            }
        }
    }

    /** Gives the same bits in every run with the same parameters. */
    @Test
    void repeatsItsBits() {
        try (Backend backend = openBackend();
                LoopCases cases = new LoopCases(backend, OPTIONS, new int[]{1201, 301}, Precision.F64, 7)) {
            for (ParallelLoop loop : cases.loops()) {
                for (LoopParameters parameters : sample(space(cases, loop))) {
                    cases.restartWithFractions();
                    loop.parameters(parameters).run();
                    List<double[]> first = cases.values();
                    cases.restartWithFractions();
                    loop.run();
                    List<double[]> second = cases.values();
                    for (int i = 0; i < first.size(); i++) {
                        assertArrayEquals(first.get(i), second.get(i), loop.toString());
                    }
                }
            }
        }
    }

    /** Stays right when sets are renumbered and dats change their layout under declared loops. */
    @Test
    void followsRenumberingAndLayout() {
        SplittableRandom random = TestSeed.random("followsRenumberingAndLayout");
        int[] size = {523, 211};
        try (Backend backend = openBackend();
                Backend reference = reference();
                LoopCases expected = new LoopCases(reference, OPTIONS, size, Precision.F64, 3);
                LoopCases actual = new LoopCases(backend, OPTIONS, size, Precision.F64, 3)) {
            for (int round = 0; round < 3; round++) {
                for (int number = 0; number < actual.loops().size(); number++) {
                    compare(expected, actual, number);
                }
                for (MeshSet set : actual.sets()) {
                    actual.mesh().renumber(set, Permutation.random(set.size(), random));
                }
                Layout layout = round % 2 == 0 ? Layout.SOA : Layout.AOS;
                actual.mesh().dats().forEach(dat -> dat.layout(layout));
                if (round == 1) {
                    actual.sets().getFirst().blocks(0, 100, 100, 130, 400, 523);
                }
            }
            for (MeshSet set : actual.sets()) {
                actual.mesh().renumber(set, set.order().inverse());
                assertTrue(set.inUserOrder(), set.toString());
            }
            compare(expected, actual, 0);
        }
    }

    /** Stays right while a tuner has every run done in another way, and gives back all but the last of them. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void isTunedWithinItsRuns(Precision precision) {
        int[] size = {257, 300};
        try (Backend backend = openBackend(); Backend reference = reference()) {
            ScriptedTuner tuner = new ScriptedTuner(
                    loop -> sample(backend.kernels(LoopKernels.class).parameterSpace(loop)));
            try (LoopCases expected = new LoopCases(reference, OPTIONS, size, precision, 11);
                    LoopCases actual = new LoopCases(backend, OPTIONS.withTuner(tuner), size, precision, 11)) {
                for (int number = 0; number < actual.loops().size(); number++) {
                    ParallelLoop loop = actual.loops().get(number);
                    assertTrue(!loop.isTuned(), "tuned before its first run: " + loop);
                    expected.restart();
                    expected.loops().get(number).run();
                    int runs = 0;
                    while (!loop.isTuned()) {
                        actual.restart();
                        loop.run();
                        runs++;
                        expected.requireSame(actual, loop + " in run " + runs + ", seed " + TestSeed.value());
                    }
                    assertEquals(tuner.last(), loop.parameters());
                    assertEquals(runs, loop.report().runs());
                    assertTrue(loop.report().seconds() > 0, loop.toString());
                    actual.restart();
                    loop.run();
                    expected.requireSame(actual, loop + " once tuned");
                }
                tuner.requireClosed();
                actual.mesh().dats().getFirst().layout(Layout.SOA);
                assertTrue(!actual.loops().getFirst().isTuned(), "tuned in a new layout without a run");
                LoopParameters fixed = actual.mesh().kernels().rule(actual.loops().getFirst().declaration());
                assertTrue(actual.loops().getFirst().parameters(fixed).isTuned(), "tuned against the user's will");
            }
        }
    }

    /** Runs after a change of sets as if the mesh had been built as it is now: loops, and the sequence of them. */
    @Test
    void changesAsIfBuiltAnew() {
        SplittableRandom random = TestSeed.random("changesAsIfBuiltAnew");
        int[][] sizes = {{523, 211}, {700, 300}, {0, 5}, {0, 0}, {40, 57}, {40, 20}};
        try (Backend backend = openBackend();
                LoopCases actual = new LoopCases(backend, OPTIONS, sizes[0], Precision.F64, 9)) {
            LoopSequence.Builder builder = actual.mesh().sequence("all");
            actual.loops().forEach(builder::run);
            LoopSequence all = builder.build();
            for (int round = 1; round < sizes.length; round++) {
                actual.restart();
                for (int run = 0; run < 3; run++) {
                    all.run();
                }
                MeshSet nodes = actual.sets().getLast();
                actual.mesh().renumber(nodes, Permutation.random(nodes.size(), random));
                all.run();
                changeAndCompare(backend, actual, sizes[round], all, random);
            }
        }
    }

    private static void changeAndCompare(Backend backend, LoopCases actual, int[] size, LoopSequence all,
            SplittableRandom random) {
        String context = "change to " + size[0] + " and " + size[1] + ", seed " + TestSeed.value();
        List<MeshSet> sets = actual.sets();
        int[][] origins = {origins(size[0], sets.get(0).size(), random), origins(size[1], sets.get(1).size(), random)};
        List<double[]> expected = new ArrayList<>();
        for (Dat dat : actual.mesh().dats()) {
            expected.add(carried(dat, origins[sets.indexOf(dat.set())]));
        }
        LoopCases.Tables tables = LoopCases.Tables.random(size, random);
        actual.mesh().change(edit -> {
            edit.resize(sets.get(0), size[0], origins[0]).resize(sets.get(1), size[1], origins[1]);
            tables.give(edit, actual.mesh());
        });
        try (LoopCases anew = new LoopCases(backend, OPTIONS, size, Precision.F64, 9, tables)) {
            for (int dat = 0; dat < expected.size(); dat++) {
                assertArrayEquals(expected.get(dat), actual.mesh().dats().get(dat).toArray(), context);
            }
            for (int run = 0; run < 4; run++) {
                actual.restartWithFractions();
                anew.restartWithFractions();
                all.run();
                anew.loops().forEach(ParallelLoop::run);
                anew.requireSame(actual, context + ", run " + run);
            }
        }
    }

    private static int[] origins(int size, int old, SplittableRandom random) {
        int[] origins = new int[size];
        for (int element = 0; element < size; element++) {
            origins[element] = old == 0 ? -1 : random.nextInt(-1, old);
        }
        return origins;
    }

    private static double[] carried(Dat dat, int[] origins) {
        double[] values = new double[origins.length * dat.components()];
        for (int i = 0; i < values.length; i++) {
            int origin = origins[i / dat.components()];
            values[i] = origin < 0 ? 0 : dat.get(origin, i % dat.components());
        }
        return values;
    }

    /** Stays right where a renumbering changes only the targets of a map that several prepared loops share. */
    @Test
    void sharedMapsFollowTheirTargets() {
        try (Backend backend = openBackend();
                LoopCases actual = new LoopCases(backend, OPTIONS, new int[]{523, 211}, Precision.F64, 3);
                LoopCases expected = new LoopCases(backend, OPTIONS, new int[]{523, 211}, Precision.F64, 3)) {
            List<ParallelLoop> loops = List.of(actual.loops().get(0), actual.loops().get(6));
            actual.restart();
            loops.forEach(ParallelLoop::run);
            MeshSet nodes = actual.sets().getLast();
            actual.mesh().renumber(nodes,
                    Permutation.random(nodes.size(), TestSeed.random("sharedMapsFollowTheirTargets")));
            actual.restart();
            loops.forEach(ParallelLoop::run);
            expected.restart();
            expected.loops().get(0).run();
            expected.loops().get(6).run();
            expected.requireSame(actual, "seed " + TestSeed.value());
        }
    }

    /** Lets loops, sequences and dats go one by one. */
    @Test
    void closesOneByOne() {
        try (Backend backend = openBackend();
                LoopCases cases = new LoopCases(backend, OPTIONS, new int[]{101, 57}, Precision.F64, 1)) {
            Mesh mesh = cases.mesh();
            ParallelLoop loop = cases.loops().getFirst();
            Dat flux = mesh.dats().get(2);
            LoopSequence sequence = mesh.sequence("one").run(loop).build();
            sequence.run();
            assertThrows(IllegalStateException.class, flux::close);
            assertThrows(IllegalStateException.class, loop::close);
            sequence.close();
            sequence.close();
            assertThrows(IllegalStateException.class, sequence::run);
            loop.close();
            loop.close();
            assertThrows(IllegalStateException.class, loop::run);
            assertEquals(cases.loops().size() - 1, mesh.report().loops().size());
            assertThrows(IllegalStateException.class, flux::close);
            cases.loops().get(2).close();
            flux.close();
            flux.close();
            assertThrows(IllegalStateException.class, flux::toArray);
            Dat again = mesh.dat("flux", mesh.sets().getLast(), 2, Precision.F64);
            assertEquals(0, again.get(56, 1));
            cases.loops().get(6).run();
        }
    }

    /** Runs the blocks of a partition. */
    @Test
    void runsThePartition() {
        int[] size = {523, 211};
        try (Backend backend = openBackend();
                Backend reference = reference();
                LoopCases expected = new LoopCases(reference, OPTIONS, size, Precision.F64, 5);
                LoopCases actual = new LoopCases(backend, OPTIONS, size, Precision.F64, 5)) {
            ParallelLoop loop = actual.loops().getFirst();
            LoopParameters parameters = loop.parameters().withBlockSize(0);
            if (!backend.name().equals("reference")) {
                assertThrows(UnsupportedKernelException.class, () -> loop.parameters(parameters));
            }
            actual.sets().getFirst().blocks(0, 100, 100, 130, 400, 523);
            actual.restart();
            loop.parameters(parameters).run();
            expected.restart();
            expected.loops().getFirst().run();
            expected.requireSame(actual, loop.toString());
        }
    }

    /**
     * Runs a sequence as it runs the loops of it, whatever changes between runs.
     *
     * @param precision the precision of the dats
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void sequencesAreTheirLoops(Precision precision) {
        try (Backend backend = openBackend();
                Backend reference = reference();
                SequenceCase expected = new SequenceCase(reference, OPTIONS, precision);
                SequenceCase actual = new SequenceCase(backend, OPTIONS, precision)) {
            for (int round = 0; round < 16; round++) {
                if (round % 4 == 2) {
                    actual.factor().set(0.01 * round);
                    expected.factor().set(0.01 * round);
                }
                if (round == 5) {
                    actual.mesh().dats().forEach(dat -> dat.layout(Layout.SOA));
                }
                if (round == 8) {
                    MeshSet nodes = actual.mesh().sets().getFirst();
                    actual.mesh().renumber(nodes, Permutation.random(nodes.size(), new SplittableRandom(round)));
                    actual.mesh().dats().forEach(dat -> dat.layout(Layout.AOS));
                }
                if (round == 11) {
                    ParallelLoop spread = actual.loops().get(1);
                    spread.parameters(sample(actual.mesh().kernels().parameterSpace(spread.declaration()))
                            .getFirst());
                }
                if (round == 13) {
                    actual.mesh().resetTimes();
                }
                actual.sequence().run();
                expected.sequence().run();
                if (round % 3 == 1) {
                    expected.requireSame(actual, "round " + round + ", seed " + TestSeed.value());
                } else if (round % 3 == 2) {
                    actual.least().set(round);
                    expected.least().set(round);
                }
            }
            expected.requireSame(actual, "at the end");
            SequenceReport report = actual.mesh().report().sequences().getFirst();
            assertEquals(3, report.runs());
            assertEquals(9, actual.loops().get(2).report().runs());
            assertEquals(actual.sequence().isJoined() ? 1 : 0, report.joined());
            assertTrue(report.seconds() > 0, report.toString());
        }
    }

    /** Leaves the heap alone once a sequence has run. */
    @Test
    void sequencesRunWithoutAllocation() {
        Assumptions.assumeTrue(watchesHeap(), "what stands in for the device allocates");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend, OPTIONS)) {
            ParallelLoop loop = LoopCases.silentLoop(mesh);
            Global sum = (Global) loop.declaration().argument(2);
            LoopSequence sequence = mesh.sequence("silent").set(sum, 1).run(loop).run(loop).set(sum, 2).run(loop)
                    .build();
            for (int i = 0; i < SEQUENCE_WARM_UP * warmUpRuns(); i++) {
                sequence.run();
            }
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 200; i++) {
                sequence.run();
            }
            long allocated = threads.getThreadAllocatedBytes(self) - before;
            assertTrue(allocated < 200 * 16, sequence + " allocated " + allocated + " bytes in 200 runs");
        }
    }

    /** Leaves the heap alone once a loop has been prepared. */
    @Test
    void runsWithoutAllocation() {
        Assumptions.assumeTrue(watchesHeap(), "what stands in for the device allocates");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend, OPTIONS)) {
            ParallelLoop loop = LoopCases.silentLoop(mesh);
            for (LoopParameters parameters : mesh.kernels().parameterSpace(loop.declaration())) {
                loop.parameters(parameters);
                for (int i = 0; i < warmUpRuns(); i++) {
                    loop.run();
                }
                long before = threads.getThreadAllocatedBytes(self);
                for (int i = 0; i < 200; i++) {
                    loop.run();
                }
                long allocated = threads.getThreadAllocatedBytes(self) - before;
                assertTrue(allocated < 200 * 16, loop + " allocated " + allocated + " bytes in 200 runs");
            }
        }
    }

    /** Counts and times runs. */
    @Test
    void reportsRuns() {
        try (Backend backend = openBackend();
                LoopCases cases = new LoopCases(backend, OPTIONS, new int[]{101, 57}, Precision.F32, 1)) {
            cases.loops().getFirst().run();
            cases.loops().getFirst().run();
            MeshReport report = cases.mesh().report();
            assertEquals(2, report.loops().getFirst().runs());
            assertEquals(0, report.loops().get(1).runs());
            assertTrue(report.loops().getFirst().seconds() > 0);
            assertTrue(report.loops().getFirst().gigabytesPerSecond() > 0);
            assertTrue(report.toString().contains(cases.loops().getFirst().declaration().name()), report.toString());
            cases.mesh().resetTimes();
            assertEquals(0, cases.mesh().report().seconds());
        }
    }

    /** Refuses to run when the mesh has been closed. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void closedMeshRefuses() {
        try (Backend backend = openBackend()) {
            Mesh mesh = Mesh.on(backend, OPTIONS);
            ParallelLoop loop = LoopCases.silentLoop(mesh);
            loop.run();
            mesh.close();
            mesh.close();
            assertThrows(IllegalStateException.class, loop::run);
            assertThrows(IllegalStateException.class, () -> mesh.set("more", 1));
        }
    }

    /** Refuses to run once the backend has been closed. */
    @Test
    void closedBackendRefuses() {
        Backend backend = openBackend();
        try (Mesh mesh = Mesh.on(backend, OPTIONS)) {
            ParallelLoop loop = LoopCases.silentLoop(mesh);
            loop.run();
            backend.close();
            assertThrows(IllegalStateException.class, loop::run);
            assertThrows(IllegalStateException.class, () -> backend.kernels(LoopKernels.class));
        } finally {
            backend.close();
        }
    }

    /** Refuses to take or give values of a dat whose mesh has been closed. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void closedMeshTakesItsDatsAlong() {
        try (Backend backend = openBackend()) {
            Mesh mesh = Mesh.on(backend, OPTIONS);
            Dat dat = mesh.dat("q", mesh.set("cells", 3), 1, Precision.F64, new double[]{1, 2, 3});
            Dat whole = mesh.intDat("marks", mesh.sets().getFirst(), 1);
            mesh.close();
            List<Executable> uses = List.of(dat::toArray, () -> dat.get(0, 0), () -> dat.set(0, 0, 1),
                    () -> dat.fill(2), () -> dat.setAll(new double[3]), dat::vector, dat::storage,
                    () -> dat.layout(Layout.SOA));
            for (Executable use : uses) {
                IllegalStateException e = assertThrows(IllegalStateException.class, use);
                assertTrue(e.getMessage().contains("dat 'q' of 1 f64"), e.getMessage());
            }
            assertThrows(IllegalStateException.class, whole::toIntArray);
            assertThrows(IllegalStateException.class, () -> whole.setAll(new int[3]));
        }
    }

    /** Refuses a second thread while one is running a loop: this loop, and any other of the backend. */
    @Test
    void refusesASecondThread() {
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        List<ParallelLoop> loops = new ArrayList<>();
        LoopKernel outer = InterpretedKernel.named("outer").dat(Access.WRITE, 1).cuda("p0[0] = 1;").does(v -> {
            if (thrown.isEmpty()) {
                loops.forEach(loop -> runOnAnotherThread(loop, thrown));
            }
        });
        LoopKernel inner = InterpretedKernel.named("inner").dat(Access.WRITE, 1).cuda("p0[0] = 1;").does(v -> {});
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend, OPTIONS)) {
            MeshSet one = mesh.set("one", 1);
            loops.add(mesh.loop(outer, one, mesh.dat("a", one, 1, Precision.F64)));
            loops.add(mesh.loop(inner, one, mesh.dat("b", one, 1, Precision.F64)));
            loops.get(1).run();
            loops.get(0).run();
            Assumptions.assumeFalse(thrown.isEmpty(), "the loop ran on a device");
            assertEquals(2, thrown.size(), thrown::toString);
            thrown.forEach(failure -> assertTrue(failure instanceof IllegalStateException
                    && failure.getMessage().contains("another thread"), failure::toString));
            loops.forEach(ParallelLoop::run);
        }
    }

    private static void runOnAnotherThread(ParallelLoop loop, List<Throwable> thrown) {
        Thread other = new Thread(loop::run);
        other.setUncaughtExceptionHandler((thread, failure) -> thrown.add(failure));
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
