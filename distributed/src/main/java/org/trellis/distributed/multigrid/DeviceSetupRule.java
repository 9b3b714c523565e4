package org.trellis.distributed.multigrid;

import org.trellis.common.Checks;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.SetupLocation;

/**
 * Says where the levels over ranks are set up: on the device of the first rank, for all, if it is asked for
 * ({@link SetupLocation#BACKEND}), or if nothing is said, that rank has a device, the matrix is not small, and levels
 * are expected to take at most half of the device's memory; else on the hosts of all ranks.
 */
final class DeviceSetupRule {
    /** Rows below which a set-up on the host takes no longer than gathering and the launches of kernels. */
    private static final long LEAST_ROWS = 20_000;
    /**
     * Bytes of all levels and their set-up for each entry of the matrix: 53 for the levels of a five-point Laplacian
     * with what their cycles need, of which products hold as much again while they are made.
     */
    private static final long BYTES_OF_AN_ENTRY = 110;

    private DeviceSetupRule() {}

    /**
     * Decides. Collective.
     *
     * @param matrix  the finest matrix
     * @param options how levels are made, and where
     * @param place   where this rank is
     * @throws UnsupportedKernelException if a backend is to set them up and the first rank's cannot
     * @throws IllegalArgumentException   if a backend is to set them up and the matrix has more rows or entries than
     *                                    one device's matrix can have
     */
    static boolean gathers(PartitionedMatrix matrix, MultigridOptions options, RankDevices place) {
        boolean first = matrix.communicator().rank() == 0;
        boolean able = place.onDevice() && Hierarchy.takes(place.backend(), options.coarsening());
        long memory = first && able
                ? Long.parseLong(place.backend().device().properties().getOrDefault("memoryBytes", "0"))
                : 0;
        long[] known = {first && able ? 1 : 0, memory, matrix.rows().nonZeros()};
        matrix.communicator().allReduce(Reduction.SUM, known);
        boolean fits = matrix.globalRows() < Checks.LONGEST_ARRAY && known[2] <= Checks.LONGEST_ARRAY;
        if (options.setup() == SetupLocation.BACKEND) {
            requirePossible(matrix, options, place, known, fits);
            return true;
        }
        return options.setup() == SetupLocation.AUTOMATIC && known[0] > 0 && fits && matrix.globalRows() >= LEAST_ROWS
                && known[2] * BYTES_OF_AN_ENTRY <= known[1] / 2;
    }

    private static void requirePossible(PartitionedMatrix matrix, MultigridOptions options, RankDevices place,
            long[] known, boolean fits) {
        if (known[0] == 0) {
            throw new UnsupportedKernelException(
                    "the set-up of multigrid over ranks by " + options.coarsening().coarsening().label(),
                    place.backend().name(), "setup=backend wants a GPU on the first rank; setup=host works");
        }
        if (!fits) {
            throw new IllegalArgumentException("multigrid over ranks with setup=backend for " + matrix.globalRows()
                    + " rows with " + known[2] + " entries, expected at most " + Checks.LONGEST_ARRAY
                    + " of both for one device; setup=host divides them");
        }
    }
}
