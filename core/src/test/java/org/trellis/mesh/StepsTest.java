package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.solve.VectorsLoops;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Steps, scalars, loops that are bound to other data, and parts of sets, on the CPU backends. */
class StepsTest {
    private static final int SIZE = 40_000;

    @MustBeClosed
    private static Backend open(String name, int threads) {
        return Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, threads).build());
    }

    private static double[] values(int seed) {
        SplittableRandom random = TestSeed.random("steps" + seed);
        return random.doubles(SIZE, -1, 1).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd", "cpu"})
    void reducesIntoScalarsAndReadsThem(String name) {
        try (Backend backend = open(name, 2); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", SIZE);
            Dat x = mesh.dat("x", set, 1, Precision.F64, values(1));
            Dat y = mesh.dat("y", set, 1, Precision.F64, values(2));
            Scalars scalars = mesh.scalars("s", 6);
            scalars.set(0, 0.25);
            mesh.loop(VectorsLoops.AXPY, set, scalars.at(0), x, y).run();
            double[] after = y.toArray();
            double[] before = values(2);
            for (int i = 0; i < SIZE; i++) {
                assertEquals(0.25 * x.get(i, 0) + before[i], after[i], 1e-15);
            }
            ParallelLoop dots = mesh.loop(VectorsLoops.DOTS4, set, x, x, y, x, y, scalars.at(1, 4));
            dots.run();
            double[] first = new double[6];
            scalars.copyTo(first);
            dots.run();
            double[] second = new double[6];
            scalars.copyTo(second);
            assertArrayEquals(first, second, "a sum into scalars begins with zero");
            double expected = 0;
            for (int i = 0; i < SIZE; i++) {
                expected += x.get(i, 0) * after[i];
            }
            assertEquals(expected, scalars.get(2), 1e-9);
            assertEquals(first[1], first[3]);
            assertEquals(0.25, first[0]);
            assertEquals(0, first[5]);
        }
    }

    @Test
    void sumsAreTheSameForAnyNumberOfThreads() {
        for (String name : List.of("threads", "simd", "cpu")) {
            for (Precision precision : Precision.values()) {
                double[] sums = new double[4];
                for (int threads = 1; threads <= 4; threads++) {
                    try (Backend backend = open(name, threads); Mesh mesh = Mesh.on(backend)) {
                        MeshSet set = mesh.set("set", SIZE);
                        Dat x = mesh.dat("x", set, 1, precision, values(3));
                        Scalars scalars = mesh.scalars("s", 1);
                        mesh.loop(VectorsLoops.SQUARE, set, x, scalars.at(0)).run();
                        sums[threads - 1] = scalars.get(0);
                    }
                }
                for (double sum : sums) {
                    assertEquals(sums[0], sum, 0, name + " " + precision + ", seed " + TestSeed.value());
                }
            }
        }
    }

    @Test
    void aSequenceCountsItsLoops() {
        try (Backend backend = open("reference", 1); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 3);
            Dat x = mesh.dat("x", set, 1, Precision.F64, new double[3]);
            Dat y = mesh.dat("y", set, 1, Precision.F64, new double[3]);
            ParallelLoop copy = mesh.loop(VectorsLoops.COPY, set, x, y);
            ParallelLoop back = mesh.loop(VectorsLoops.COPY, set, y, x);
            Global sum = mesh.global("sum", 0);
            LoopSequence sequence = mesh.sequence("twice").run(back).set(sum, 1).run(copy)
                    .run(new CallStep("nothing", () -> {}, List.of())).run(back).build();
            assertEquals(List.of(Map.entry(back, 2), Map.entry(copy, 1)), List.copyOf(sequence.loops().entrySet()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd", "cpu"})
    void oneLoopServesABasis(String name) {
        try (Backend backend = open(name, 2); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", SIZE);
            Scalars scalars = mesh.scalars("s", 4);
            List<Dat> basis = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                basis.add(mesh.dat("v" + i, set, 1, Precision.F64, values(i)));
                scalars.set(i, i + 1);
            }
            Dat w = mesh.dat("w", set, 1, Precision.F64);
            ParallelLoop loop = mesh.loop(VectorsLoops.AXPY, set, scalars.at(0), basis.get(0), w).prepare();
            PreparedLoop prepared = loop.current();
            assertNotNull(prepared);
            for (int i = 0; i < 4; i++) {
                loop.bind(scalars.at(i), basis.get(i), w).run();
            }
            assertSame(prepared, loop.current(), "nothing is prepared anew");
            double[] found = w.toArray();
            for (int i = 0; i < SIZE; i += 997) {
                double expected = 0;
                for (int v = 0; v < 4; v++) {
                    expected += (v + 1) * basis.get(v).get(i, 0);
                }
                assertEquals(expected, found[i], 1e-14, "element " + i);
            }
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> loop.bind(scalars.at(0), w, w));
            assertTrue(e.getMessage().contains("'w' with access READ_WRITE"), e.getMessage());
            loop.bind(mesh.global("a", 2), basis.get(0), basis.get(1)).run();
            assertEquals(2 * basis.get(0).get(5, 0) + values(1)[5], basis.get(1).get(5, 0), 1e-15);
        }
    }

    @Test
    void bindingDataOfAnotherShapePreparesAnew() {
        try (Backend backend = open("threads", 2); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 100);
            Dat x = mesh.dat("x", set, 1, Precision.F64).fill(2);
            Dat single = mesh.dat("single", set, 1, Precision.F32).fill(3);
            Scalars scalars = mesh.scalars("s", 1);
            ParallelLoop loop = mesh.loop(VectorsLoops.DOT, set, x, x, scalars.at(0));
            loop.run();
            assertEquals(400, scalars.get(0));
            loop.bind(single, single, scalars.at(0)).run();
            assertEquals(900, scalars.get(0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd", "cpu"})
    void partsOfSetsAreRunAndOwnedElementsCount(String name) {
        LoopKernel count = InterpretedKernel.named("count").dat(Access.READ_WRITE, 1).global(Access.SUM, 1).does(v -> {
            ((double[]) v[0])[0] += 1;
            ((double[]) v[1])[0] += 1;
        });
        try (Backend backend = open(name, 2); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 3000, 5000, 7000, 9000);
            Dat runs = mesh.dat("runs", set, 1, Precision.F64);
            Global sum = mesh.global("sum", 10);
            ParallelLoop loop = mesh.loop(count, set, runs, sum);
            loop.run(SetExtent.INTERIOR);
            assertEquals(3010, sum.get());
            loop.run();
            assertEquals(8010, sum.get(), "owned elements count");
            loop.run(SetExtent.TOTAL);
            double[] expected = new double[9000];
            Arrays.fill(expected, 0, 3000, 3);
            Arrays.fill(expected, 3000, 7000, 2);
            Arrays.fill(expected, 7000, 9000, 1);
            assertArrayEquals(expected, runs.toArray());
            assertEquals(13_010, sum.get());
            Scalars scalars = mesh.scalars("s", 1);
            mesh.loop(count, set, runs, scalars.at(0)).run(SetExtent.TOTAL);
            assertEquals(5000, scalars.get(0));
            if (!"reference".equals(name)) {
                assertThrows(UnsupportedKernelException.class,
                        () -> loop.parameters(loop.parameters().withScheme(LoopScheme.FULL_PERMUTE)));
            }
        }
    }

    @Test
    void refusesPartsThatDoNotContainEachOther() {
        try (Backend backend = open("reference", 1); Mesh mesh = Mesh.on(backend)) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> mesh.set("s", 3, 2, 5, 5));
            assertTrue(e.getMessage().contains("3 interior, 2 owned, 5 executed and 5 elements"), e.getMessage());
        }
    }

    @Test
    void listenersSeeEveryStepWithItsData() {
        try (Backend backend = open("threads", 2); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 100);
            Dat x = mesh.dat("x", set, 1, Precision.F64).fill(1);
            Dat y = mesh.dat("y", set, 1, Precision.F64);
            Global a = mesh.global("a", 1);
            Scalars scalars = mesh.scalars("s", 1);
            ParallelLoop axpy = mesh.loop(VectorsLoops.AXPY, set, a, x, y);
            ParallelLoop dot = mesh.loop(VectorsLoops.DOT, set, x, y, scalars.at(0));
            List<Double> seen = new ArrayList<>();
            int[] worked = {0};
            WorkStep work = new WorkStep("work", () -> worked[0]++, List.of(new StepData(x, Access.READ)));
            CallStep look = new CallStep("look", () -> seen.add(scalars.get(0)),
                    List.of(new StepData(scalars.at(0), Access.READ)));
            LoopSequence sequence = mesh.sequence("all").run(axpy).run(dot).run(look).set(a, 2).run(work)
                    .run(axpy.step()).run(dot).run(look).set(a, 1).build();
            List<Step> steps = new ArrayList<>();
            StepListener listener = steps::add;
            mesh.addListener(listener);
            sequence.run();
            assertEquals(List.of("Vectors.axpy", "Vectors.dot", "look", "set a", "work", "Vectors.axpy", "Vectors.dot",
                    "look", "set a"), steps.stream().map(Step::name).toList());
            assertEquals(sequence.steps(), steps);
            assertEquals(List.of(100.0, 300.0), seen);
            assertEquals(1, worked[0]);
            assertEquals(List.of(new StepData(x, Access.READ), new StepData(y, Access.READ)), steps.get(1).reads());
            assertEquals(List.of(new StepData(scalars.at(0), Access.SUM)), steps.get(1).writes());
            assertEquals(List.of(new StepData(a, Access.WRITE)), steps.get(3).writes());
            axpy.run();
            assertEquals(10, steps.size());
            mesh.removeListener(listener);
            sequence.run();
            assertEquals(10, steps.size());
            assertEquals(List.of(100.0, 300.0, 500.0, 700.0), seen);
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void scalarsSayWhatIsWrong() {
        try (Backend backend = open("reference", 1)) {
            Mesh mesh = Mesh.on(backend);
            Scalars scalars = mesh.scalars("s", 3);
            assertThrows(IndexOutOfBoundsException.class, () -> scalars.at(3));
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> scalars.at(2, 2));
            assertEquals("scalars 2 to 3 of 's', expected them within 0 to 2", e.getMessage());
            MeshSet set = mesh.set("set", 5);
            Dat x = mesh.dat("x", set, 1, Precision.F64);
            IllegalArgumentException twice = assertThrows(IllegalArgumentException.class,
                    () -> mesh.loop(VectorsLoops.AXPY_NORM, set, scalars.at(0), x, x, scalars.at(0)));
            assertTrue(twice.getMessage().contains("'x'"), twice.getMessage());
            mesh.close();
            IllegalStateException closed = assertThrows(IllegalStateException.class, () -> scalars.get(0));
            assertEquals("3 scalars 's' are used after their mesh was closed", closed.getMessage());
        }
    }
}
