package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;

/**
 * Times what hosts do where the device of the first rank sets up multigrid: gather the matrix and deal out as much, and
 * beside it the set-up on hosts, in turns: {@code RowGatheringTiming MATRIX RANKS ROUNDS}. The first round is that of a
 * program that does it once.
 */
final class RowGatheringTiming {
    private static final int LEAST_ROWS = 400_000;

    private RowGatheringTiming() {}

    /**
     * Runs the program.
     *
     * @param arguments a generated matrix; ranks; rounds
     */
    public static void main(String[] arguments) {
        CsrMatrix whole = MatrixSpec.parse(arguments[0]).generate(Precision.F64, ProgressListener.NONE);
        int ranks = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        int[] parts = new int[whole.rows()];
        Arrays.setAll(parts, row -> (int) ((long) row * ranks / whole.rows()));
        ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, new Partition(parts, ranks));
            for (int round = 0; round < rounds; round++) {
                List<Double> times = round(communicator, matrix);
                if (communicator.rank() == 0) {
                    System.out.printf(Locale.ROOT, "gathered in %.1f ms, dealt out in %.1f ms; set up on hosts in "
                            + "%.1f ms%n", times.get(0), times.get(1), times.get(2));
                }
            }
            return null;
        });
    }

    private static List<Double> round(Communicator communicator, PartitionedMatrix matrix) {
        List<Double> times = new ArrayList<>();
        RowGathering gathering = new RowGathering(communicator);
        communicator.barrier();
        long began = System.nanoTime();
        CsrMatrix whole = gathering.gather(matrix.rows(), Math.toIntExact(matrix.globalRows()));
        began = add(times, communicator, began);
        gathering.scatter(whole, GatheredLevels.owned(matrix), matrix.rows().indices(), matrix.precision());
        began = add(times, communicator, began);
        RankHierarchy.of(matrix, null,
                RankMultigridOptions.parse(Map.of(), RingChoice.of(1)).options().coarsening(), LEAST_ROWS).close();
        add(times, communicator, began);
        return times;
    }

    private static long add(List<Double> times, Communicator communicator, long began) {
        communicator.barrier();
        long now = System.nanoTime();
        times.add((now - began) * 1e-6);
        return now;
    }
}
