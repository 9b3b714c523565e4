package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.SequenceCase;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.RankTimes;
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
        onDevices(ranks, host, (communicator, own, reference) -> {
            int number = 0;
            for (int[] size : sizes()) {
                compare(communicator, reference, own, size, number % 2 == 0 ? Layout.AOS : Layout.SOA, seed + number);
                number++;
            }
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
                expected.loops().get(loop).run();
                actual.loops().get(loop).run();
                // One after the other, timed by clocks of devices.
                DistributedMesh.takeTurns(mesh, true);
                expected.loops().get(loop).run();
                actual.loops().get(loop).run();
                requireTimes(mesh, actual.loops().get(loop).declaration().name());
                DistributedMesh.takeTurns(mesh, false);
                expected.requireSame(actual, actual.loops().get(loop) + " on " + communicator.size()
                        + " ranks, seed " + TestSeed.value());
            }
        }
    }

    private static void requireTimes(Mesh mesh, String loop) {
        List<RankTimes> times = mesh.report().ranks().orElseThrow().times().stream()
                .filter(rank -> rank.loop().equals(loop)).toList();
        assertTrue(times.stream().allMatch(rank -> rank.runs() == 1 && rank.core() >= 0 && rank.boundary() >= 0)
                && times.stream().allMatch(rank -> rank.elements() == 0 || rank.core() + rank.boundary() > 0),
                times::toString);
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

    /** Sequences whose kernels devices are given together, as one or between exchanges. */
    @ParameterizedTest
    @SuppressWarnings("MustBeClosed") // meshes are closed with what is declared on them
    @CsvSource({"2, 0, -1", "2, 2, -1", "3, 0, -1", "3, 2, 1"})
    void runsSequencesTogether(int ranks, int rings, int host) {
        onDevices(ranks, host, (communicator, device, reference) -> {
            RankOptions options = RankOptions.usual().withMesh(OPTIONS).withDivision(Division.blocks());
            direct(communicator, device);
            try (SequenceCase expected = new SequenceCase(Mesh.on(reference), Precision.F64, 0);
                    SequenceCase actual = new SequenceCase(DistributedMesh.on(device, communicator, options),
                            Precision.F64, rings)) {
                for (int run = 0; run < 9; run++) {
                    for (SequenceCase one : List.of(expected, actual)) {
                        one.factor().set(0.2 + 0.01 * (run % 3));
                        one.sequence().run();
                    }
                    if (run % 4 != 1) {
                        expected.requireSame(actual, "run " + run + " on " + ranks + " ranks with " + rings
                                + " rings");
                    }
                }
                boolean onDevice = communicator.rank() != host;
                assertEquals(onDevice, actual.sequence().report().joined() > 4, "graphs");
            }
        });
    }

    /** Lets messages be written by kernels where all ranks have devices, whatever has been measured. */
    protected static Backend direct(Communicator communicator, Backend device) {
        DeviceTransports.start(communicator, device, List.of("direct"));
        return device;
    }

    /** What a rank does, given its backend and one for reference. */
    protected interface DeviceTask {
        /** Does it. */
        void run(Communicator communicator, Backend own, Backend reference);
    }

    /** Runs something on ranks with devices, but for one. */
    protected void onDevices(int ranks, int host, DeviceTask task) {
        try (Backend probe = open(0)) {
            probe.device();
        }
        ThreadRanks.run(ranks, communicator -> {
            try (Backend device = open(communicator.rank());
                    Backend reference = Backends.open("reference", Configuration.load())) {
                task.run(communicator, communicator.rank() == host ? reference : device, reference);
            }
            return null;
        });
    }

    /**
     * A rank with a device has everything and the other one, on the host, nothing: loops one by one, and together often
     * enough for the device to be given all of them at once.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void runsAlone(int alone) {
        long seed = 2L * TestSeed.random("runsAlone" + alone).nextInt(1000);
        try (Backend probe = open(0)) {
            probe.device();
        }
        int[] size = sizes()[0];
        ThreadRanks.run(2, communicator -> {
            double[] shares = new double[2];
            shares[alone] = 1;
            try (Backend device = open(communicator.rank());
                    Backend reference = Backends.open("reference", Configuration.load());
                    LoopCases expected = new LoopCases(reference, OPTIONS, size, Precision.F64, seed);
                    Mesh mesh = DistributedMesh.on(communicator.rank() == alone ? device : reference, communicator,
                            RankOptions.usual().withMesh(OPTIONS).withDivision(Division.usual().withShares(shares)));
                    LoopCases actual = new LoopCases(mesh, size, Precision.F64, seed)) {
                assertTrue(DistributedMesh.needOfOthers(mesh).isEmpty());
                for (int loop = 0; loop < actual.loops().size(); loop++) {
                    if (loops().test(loop)) {
                        runAlone(expected, actual, mesh, loop);
                    }
                }
            }
            return null;
        });
    }

    private static void runAlone(LoopCases expected, LoopCases actual, Mesh mesh, int loop) {
        expected.restart();
        actual.restart();
        expected.loops().get(loop).run();
        actual.loops().get(loop).run();
        try (LoopSequence sequence = mesh.sequence("twice").run(actual.loops().get(loop))
                .run(actual.loops().get(loop)).build()) {
            for (int run = 0; run < 4; run++) {
                expected.loops().get(loop).run();
                expected.loops().get(loop).run();
                sequence.run();
            }
        }
        expected.requireSame(actual, actual.loops().get(loop) + " on one of two ranks, seed " + TestSeed.value());
    }
}
