package org.trellis.bench.powers;

import java.time.Duration;
import java.util.Locale;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.sparse.LinearOperator;

/**
 * What is measured.
 *
 * @param rings     the numbers of rings; {@link #AUTO} for the tuner's choice
 * @param mostRings the most rings that a tuner may choose
 * @param program   what the steps are
 * @param steps     steps in a row
 * @param seconds   measured time for each number of rings
 * @param latency   by how much messages are delayed, null for not at all
 * @param bandwidth bytes a second of each channel if they are delayed
 */
record PowersSettings(int[] rings, int mostRings, Program program, int steps, double seconds, Duration latency,
        double bandwidth) {
    /** Stands for the number that model and tuner choose. */
    static final int AUTO = 0;

    /** The most rings of all. */
    static final int LIMIT = 64;

    /** What the steps are. */
    enum Program {
        /** Products. */
        PRODUCTS,
        /** Sweeps of Jacobi's method. */
        JACOBI;

        /** Returns the name on the command line and in profiles. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the most rings of any setting, which is what the halo gets. */
    int ringsOfPlan() {
        int most = 1;
        for (int count : rings) {
            most = Math.max(most, count == AUTO ? mostRings : count);
        }
        return most;
    }

    /** Delays messages if that is wanted. The caller closes what is returned before the other. */
    Communicator delayed(Communicator communicator) {
        return latency == null ? communicator : new DelayedCommunicator(communicator, latency, bandwidth);
    }

    /** Makes the program, whose products may have one of their own for interior rows. */
    StepProgram start(HaloPlan plan, double factor, LinearOperator interior) {
        return program == Program.PRODUCTS
                ? new StepProgram.Products(plan, factor, interior)
                : new StepProgram.JacobiSweeps(plan);
    }
}
