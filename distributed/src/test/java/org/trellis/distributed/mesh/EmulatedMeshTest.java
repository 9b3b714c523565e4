package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.SequenceCase;

/**
 * Some loops with kernels that run on the host, since each has to be compiled; {@code -Dtrellis.test.emulation=all}
 * runs all of them.
 */
class EmulatedMeshTest extends DeviceMeshContract {
    private static final boolean ALL = "all".equals(System.getProperty("trellis.test.emulation"));
    /** Every so manieth loop: among them are direct ones, those that gather, add and reduce. */
    private static final int EACH = 5;

    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open(int rank) {
        return EmulatedGpu.in(folder).open(rank % 2);
    }

    @Override
    protected IntPredicate loops() {
        return loop -> ALL || loop % EACH == 0;
    }

    @Override
    protected int[][] sizes() {
        return new int[][]{{120, 41}};
    }

    /** With devices that raise flags for each other, exchanges and reductions are part of one graph. */
    @Test
    void queuesSequencesAsOneGraph() {
        assertEquals(List.of(1, 1), graphsOfARun(rank -> rank));
    }

    /** Ranks that share a device notify each other of messages, and have graphs in between. */
    @Test
    void queuesGraphsBetweenExchanges() {
        for (int graphs : graphsOfARun(rank -> 0)) {
            assertTrue(graphs > 1, "graphs of a run: " + graphs);
        }
    }

    /** Returns how many graphs each of two ranks launches in a run, and checks that finally nothing else is. */
    @SuppressWarnings("MustBeClosed") // the mesh is closed with what is declared on it
    private static List<Integer> graphsOfARun(IntUnaryOperator deviceOf) {
        EmulatedGpu.in(folder);
        return ThreadRanks.run(2, communicator -> {
            EmulatedGpu gpu = EmulatedGpu.in(folder);
            try (Backend device = direct(communicator, gpu.open(deviceOf.applyAsInt(communicator.rank())));
                    SequenceCase actual = new SequenceCase(DistributedMesh.on(device, communicator), Precision.F64,
                            0)) {
                for (int run = 0; run < 8; run++) {
                    actual.sequence().run();
                }
                int before = gpu.graphLaunches();
                int updates = gpu.updates();
                actual.sequence().run();
                assertTrue(gpu.updates() > updates, "rounds of messages are arguments");
                return gpu.graphLaunches() - before;
            }
        });
    }
}
