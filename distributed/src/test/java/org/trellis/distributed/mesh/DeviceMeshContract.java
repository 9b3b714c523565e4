package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.Layout;
import org.trellis.testing.TestSeed;

/** The loops of the contract on ranks with devices, and with a rank on the host between them, against one rank. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
abstract class DeviceMeshContract {
    private static final MeshOptions OPTIONS = MeshOptions.of(Configuration.load()).withCheckPlans(true);

    /** Opens the backend of a rank, or skips the test. */
    @MustBeClosed
    protected abstract Backend open(int rank);

    /** Says which of the loops are run. */
    protected abstract IntPredicate loops();

    /** Returns the sizes of meshes, cells and nodes. */
    protected abstract int[][] sizes();

    private void onRanks(int ranks, int host, long seed) {
        try (Backend probe = open(0)) {
            probe.device();
        }
        ThreadRanks.run(ranks, communicator -> {
            try (Backend device = open(communicator.rank());
                    Backend reference = Backends.open("reference", Configuration.load())) {
                int number = 0;
                for (int[] size : sizes()) {
                    compare(communicator, reference, communicator.rank() == host ? reference : device, size,
                            number % 2 == 0 ? Layout.AOS : Layout.SOA, seed + number);
                    number++;
                }
            }
            return null;
        });
    }

    private void compare(Communicator communicator, Backend reference, Backend own, int[] size, Layout layout,
            long seed) {
        Precision precision = seed % 2 == 0 ? Precision.F64 : Precision.F32;
        RankOptions options = RankOptions.usual().withMesh(OPTIONS.withLayout(layout));
        try (LoopCases expected = new LoopCases(reference, OPTIONS, size, precision, seed);
                Mesh mesh = DistributedMesh.on(own, communicator, options);
                LoopCases actual = new LoopCases(mesh, size, precision, seed)) {
            for (int loop = 0; loop < actual.loops().size(); loop++) {
                if (!loops().test(loop)) {
                    continue;
                }
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

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void agreesWithOneRank(int ranks) {
        onRanks(ranks, -1, 2L * TestSeed.random("deviceRanks" + ranks).nextInt(1000));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void worksBesideTheHost(int host) {
        onRanks(2, host, 2L * TestSeed.random("besideTheHost" + host).nextInt(1000));
    }
}
