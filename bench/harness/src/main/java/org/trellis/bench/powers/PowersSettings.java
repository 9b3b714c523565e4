package org.trellis.bench.powers;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.sparse.LinearOperator;

/**
 * What is measured.
 *
 * @param rings     the numbers of rings; {@link #AUTO} for the tuner's choice
 * @param maxRings the most rings that a tuner may choose
 * @param program   what the steps are
 * @param degree    sweeps of one polynomial of Chebyshev's method
 * @param steps     steps in a row
 * @param seconds   measured time for each number of rings
 * @param latency   by how much messages are delayed, null for not at all
 * @param bandwidth bytes a second of each channel if they are delayed
 */
public record PowersSettings(int[] rings, int maxRings, Program program, int degree, int steps, double seconds,
        Duration latency, double bandwidth) {
    /** Stands for the number that model and tuner choose. */
    public static final int AUTO = 0;

    /** The most rings of all. */
    public static final int MAX_RINGS = 64;

    private static final String CHOSEN = "auto";

    /** What the steps are. */
    public enum Program {
        /** Products. */
        PRODUCTS,
        /** Sweeps of Jacobi's method. */
        JACOBI,
        /** Sweeps of Chebyshev's method of the fourth kind, a polynomial after the other. */
        CHEBYSHEV;

        /**
         * Returns the name on the command line and in profiles.
         *
         * @return the name in small letters
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns what several steps are called. */
        String steps() {
            return switch (this) {
                case PRODUCTS -> "products";
                case JACOBI -> "sweeps of Jacobi";
                case CHEBYSHEV -> "sweeps of Chebyshev";
            };
        }
    }

    /** Copies the numbers. */
    public PowersSettings {
        rings = rings.clone();
    }

    /**
     * Reads numbers of rings.
     *
     * @param texts numbers from 1 to {@link #MAX_RINGS}, or {@code auto}
     * @return the numbers, {@link #AUTO} for the word
     * @throws IllegalArgumentException if one is neither
     */
    public static int[] rings(String... texts) {
        int[] numbers = new int[texts.length];
        for (int i = 0; i < numbers.length; i++) {
            if (!texts[i].equals(CHOSEN) && !texts[i].matches("\\d{1,6}")) {
                throw new IllegalArgumentException("number of rings is '" + texts[i] + "', expected 1 to " + MAX_RINGS
                        + ", or " + CHOSEN);
            }
            numbers[i] = texts[i].equals(CHOSEN) ? AUTO : rings(Integer.parseInt(texts[i]));
        }
        return numbers;
    }

    /**
     * Checks a number of rings.
     *
     * @param count the number
     * @return the number
     * @throws IllegalArgumentException if it is not from 1 to {@link #MAX_RINGS}
     */
    public static int rings(int count) {
        if (count < 1 || count > MAX_RINGS) {
            throw new IllegalArgumentException("number of rings is " + count + ", expected 1 to " + MAX_RINGS);
        }
        return count;
    }

    /** Returns the most rings of any setting, which is what the halo gets. */
    int ringsOfPlan() {
        int most = 1;
        for (int count : rings) {
            most = Math.max(most, count == AUTO ? maxRings : count);
        }
        return most;
    }

    /** Delays messages if that is requested. The caller closes what is returned before the other. */
    Communicator delayed(Communicator communicator) {
        return latency == null ? communicator : new DelayedCommunicator(communicator, latency, bandwidth);
    }

    /** Makes the program, whose products may have one of their own for interior rows. */
    StepProgram start(HaloPlan plan, RowBounds bounds, LinearOperator interior) {
        if (program != Program.PRODUCTS && !Double.isFinite(bounds.scaled())) {
            // Said by all ranks alike: one alone would leave the others waiting.
            throw new IllegalArgumentException("a row of the matrix has no element on the diagonal, or zero there, "
                    + "expected one to divide by in " + program.steps());
        }
        return switch (program) {
            case PRODUCTS -> new StepProgram.Products(plan, 1 / bounds.greatest(), interior);
            case JACOBI -> StepProgram.Sweeps.jacobi(plan);
            case CHEBYSHEV -> StepProgram.Sweeps.chebyshev(plan, bounds.scaled(), degree);
        };
    }

    /**
     * Returns the numbers of rings.
     *
     * @return a copy
     */
    @Override
    public int[] rings() {
        return rings.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PowersSettings that && Arrays.equals(rings, that.rings) && maxRings == that.maxRings
                && program == that.program && degree == that.degree && steps == that.steps
                && seconds == that.seconds && Objects.equals(latency, that.latency) && bandwidth == that.bandwidth;
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(rings), program, steps);
    }

    @Override
    public String toString() {
        return steps + " " + program.steps() + ", rings " + Arrays.toString(rings);
    }
}
