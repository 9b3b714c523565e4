package org.trellis.bench.model;

import java.util.List;
import org.trellis.bench.prediction.KernelTimes;
import org.trellis.bench.prediction.Network;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;

/**
 * What was predicted.
 *
 * @param matrix  the matrix of strong scaling
 * @param network what is between ranks
 * @param setup   how it was predicted
 * @param strong  the same matrix on more and more ranks
 * @param weak    matrices that grow with the ranks; empty if that was not asked for
 * @param levels  levels of a multigrid hierarchy on the most ranks; empty if that was not asked for
 * @param checks  predictions beside measurements; empty if that was not asked for
 */
public record ModelReport(String matrix, Network network, Setup setup, List<Scale> strong, List<Scale> weak,
        List<Level> levels, List<Check> checks) {
    /** Copies the lists. */
    public ModelReport {
        strong = List.copyOf(strong);
        weak = List.copyOf(weak);
        levels = List.copyOf(levels);
        checks = List.copyOf(checks);
    }

    /**
     * How it was predicted.
     *
     * @param text        the network as it was typed
     * @param rings       the numbers of rings
     * @param partitioner how rows are divided
     * @param precision   the type of values
     * @param copies      how many ranks computed at a time when kernels were measured, at most
     * @param kernels     where kernels were measured: processors, or the name of a backend
     */
    public record Setup(String text, List<Integer> rings, String partitioner, String precision, int copies,
            String kernels) {
        /** Copies the list. */
        public Setup {
            rings = List.copyOf(rings);
        }

        /**
         * Says where kernels were measured.
         *
         * @return such as "on processors with 2 ranks at a time"
         */
        public String measured() {
            return "on " + kernels + " with " + copies + (copies == 1 ? " rank" : " ranks") + " at a time";
        }
    }

    /**
     * A matrix on a number of ranks.
     *
     * @param ranks     how many
     * @param rows      rows of the matrix
     * @param nonZeros  its entries
     * @param times     what computations take at the size of the largest part
     * @param products  a product for each number of rings
     * @param sweeps    a sweep of Jacobi's method for each number of rings
     * @param iteration an iteration of conjugate gradients with one ring
     * @param solvers   iterations of solvers, replayed; none on levels
     */
    public record Scale(int ranks, long rows, long nonZeros, KernelTimes times, List<StepTimes> products,
            List<StepTimes> sweeps, StepTimes iteration, List<SolverTimes> solvers) {
        /** Copies the lists. */
        public Scale {
            solvers = List.copyOf(solvers);
            products = List.copyOf(products);
            sweeps = List.copyOf(sweeps);
        }
    }

    /**
     * A level of a hierarchy.
     *
     * @param number   0 for the finest
     * @param fewer    whether it is on fewer ranks than the finest, since it has too few rows
     * @param smoother sweeps on it
     */
    public record Level(int number, boolean fewer, Scale smoother) {}

    /**
     * A prediction and what was measured.
     *
     * @param program  what was done
     * @param ranks    on how many ranks
     * @param rings    with how many rings
     * @param measured seconds of a step in the fastest pass
     * @param expected seconds that were predicted
     */
    public record Check(String program, int ranks, int rings, double measured, double expected) {
        /**
         * Returns the error of the prediction.
         *
         * @return relative to what was measured, positive if it was too long
         */
        public double error() {
            return expected / measured - 1;
        }
    }

    /**
     * Finds the fastest of several numbers of rings.
     *
     * @param steps at least one
     * @return that with the shortest time, the smallest of equals
     */
    public static StepTimes best(List<StepTimes> steps) {
        StepTimes best = steps.getFirst();
        for (StepTimes step : steps) {
            if (step.seconds() < best.seconds()) {
                best = step;
            }
        }
        return best;
    }
}
