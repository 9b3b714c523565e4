package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.RandomMesh;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.TestSeed;

/** The loops of the contract of backends, of every kind, on 1 to 5 ranks of every backend against one rank. */
class RankedLoopsTest {
    private static final MeshOptions OPTIONS = MeshOptions.of(Configuration.load()).withCheckPlans(true);

    static Stream<Arguments> everywhere() {
        return Stream.of("reference", "threads", "simd")
                .flatMap(name -> IntStream.rangeClosed(1, 5).mapToObj(ranks -> Arguments.of(name, ranks)));
    }

    static Stream<Arguments> someRanks() {
        return Stream.of(Arguments.of("reference", 2), Arguments.of("threads", 3), Arguments.of("simd", 5));
    }

    @MustBeClosed
    private static Backend open(String name) {
        return Backends.open(name, Configuration.load());
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void agreesWithOneRank(String backend, int ranks) {
        long seed = TestSeed.random("agreesWithOneRank" + backend + ranks).nextLong();
        ThreadRanks.run(ranks, communicator -> {
            try (Backend own = open(backend); Backend reference = open("reference")) {
                int number = 0;
                for (int[] size : RandomMesh.sizes()) {
                    Layout layout = number % 2 == 0 ? Layout.AOS : Layout.SOA;
                    compare(communicator, reference, own, size, layout, seed + number++);
                }
            }
            return null;
        });
    }

    private static void compare(Communicator communicator, Backend reference, Backend own, int[] size, Layout layout,
            long seed) {
        Precision precision = seed % 2 == 0 ? Precision.F64 : Precision.F32;
        RankOptions options = RankOptions.usual().withMesh(OPTIONS.withLayout(layout));
        try (LoopCases expected = new LoopCases(reference, OPTIONS, size, precision, seed);
                Mesh mesh = DistributedMesh.on(own, communicator, options);
                LoopCases actual = new LoopCases(mesh, size, precision, seed)) {
            for (int loop = 0; loop < actual.loops().size(); loop++) {
                expected.restart();
                actual.restart();
                for (int run = 0; run < 2; run++) {
                    expected.loops().get(loop).run();
                    actual.loops().get(loop).run();
                }
                expected.requireSame(actual, actual.loops().get(loop) + " on " + communicator.size()
                        + " ranks, seed " + TestSeed.value());
            }
        }
    }

    /** The same number of ranks gives the same bits, however sums are rounded. */
    @ParameterizedTest
    @MethodSource("someRanks")
    void repeatsItsBits(String backend, int ranks) {
        List<List<double[]>> first = fractions(backend, ranks);
        List<List<double[]>> second = fractions(backend, ranks);
        for (int loop = 0; loop < first.size(); loop++) {
            for (int i = 0; i < first.get(loop).size(); i++) {
                assertArrayEquals(first.get(loop).get(i), second.get(loop).get(i));
            }
        }
    }

    private static List<List<double[]>> fractions(String backend, int ranks) {
        return ThreadRanks.run(ranks, communicator -> {
            try (Backend own = open(backend);
                    Mesh mesh = DistributedMesh.on(own, communicator);
                    LoopCases cases = new LoopCases(mesh, new int[]{1201, 301}, Precision.F64, 7)) {
                return cases.loops().stream().map(loop -> {
                    cases.restartWithFractions();
                    loop.run();
                    return cases.values();
                }).toList();
            }
        }).getLast();
    }
}
