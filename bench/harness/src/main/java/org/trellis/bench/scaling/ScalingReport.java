package org.trellis.bench.scaling;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.TransportTimes;

/**
 * Programs on more and more ranks.
 *
 * @param setup      how they were run
 * @param cases      a line for each matrix, program and number of ranks
 * @param transports what transports messages between some numbers of ranks have
 */
public record ScalingReport(Setup setup, List<Case> cases, List<Transports> transports) {
    /** Copies the lists. */
    public ScalingReport {
        cases = List.copyOf(cases);
        transports = List.copyOf(transports);
    }

    /**
     * The transports of messages between a number of ranks.
     *
     * @param ranks     how many ranks
     * @param transport how messages travel on the host
     * @param transports the transports that were found out at start, and which is taken; null if ranks are not on
     *                   devices
     * @param all       latency and bandwidth of every transport; null if that was not asked for
     */
    public record Transports(int ranks, String transport, DeviceTransports transports, TransportTimes all) {}

    /**
     * How programs were run.
     *
     * @param partitioner how rows were divided
     * @param precision   the type of values
     * @param steps       steps in a row
     * @param degree      sweeps of a polynomial of Chebyshev's method
     * @param weak        whether matrices grew with the ranks
     */
    public record Setup(String partitioner, String precision, int steps, int degree, boolean weak) {}

    /**
     * A program on a number of ranks.
     *
     * @param family     what the matrix is one size of: the name of its generator, or its own
     * @param matrix     the matrix, as it was typed
     * @param rows       its rows; 0 if it was refused
     * @param nonZeros   its entries; 0 if it was refused
     * @param program    what was done
     * @param unit       what times are of: a step, an iteration, a set-up, a solution
     * @param ranks      how many ranks
     * @param transport  how messages travelled
     * @param variants       one for each number of rings, one for a solver; none if it was refused
     * @param iterations of a solution; 0 for steps
     * @param refusal    why it could not be run; null if it was
     * @param failure    how a solution ended that did not converge; null for others
     */
    public record Case(String family, String matrix, long rows, long nonZeros, String program, String unit, int ranks,
            String transport, List<Variant> variants, int iterations, String refusal, String failure) {
        /** Copies the list. */
        public Case {
            variants = List.copyOf(variants);
        }

        /**
         * Returns what times are of, for headings.
         *
         * @return such as {@code cg, an iteration}
         */
        public String title() {
            return program + (unit.startsWith("i") ? ", an " : ", a ") + unit;
        }

        /**
         * Returns what went wrong.
         *
         * @return a sentence with program, ranks and matrix; empty if nothing did
         */
        public Optional<String> trouble() {
            String words = refusal == null ? failure : "not run: " + refusal;
            return Optional.ofNullable(words)
                    .map(text -> program + " on " + ranks + (ranks == 1 ? " rank" : " ranks") + ", " + matrix + ": "
                            + text);
        }

        /**
         * Returns the fastest variant.
         *
         * @return that with the shortest median; empty if it was refused
         */
        public Optional<Variant> best() {
            return variants.stream().min(Comparator.comparingDouble(Variant::seconds));
        }

        /**
         * Returns the variant with one ring, or the only one.
         *
         * @return the first with the fewest rings; empty if it was refused
         */
        public Optional<Variant> plain() {
            return variants.stream().filter(variant -> !variant.chosen()).min(Comparator.comparingInt(Variant::rings))
                    .or(this::best);
        }

        /**
         * Returns the variant that model and times of steps have chosen.
         *
         * @return the variant; empty if that was not asked for
         */
        public Optional<Variant> chosen() {
            return variants.stream().filter(Variant::chosen).findFirst();
        }
    }

    /**
     * A number of rings, and what it takes.
     *
     * @param rings     how many
     * @param chosen    whether the model and the times of steps chose it
     * @param seconds   median of the unit
     * @param fastest   least time of the unit
     * @param predicted what the model of rings predicts from constants that it measured on these ranks; not a number
     *                  for one rank and for solvers
     */
    public record Variant(int rings, boolean chosen, double seconds, double fastest, double predicted) {
        /**
         * Returns the error of the prediction.
         *
         * @return relative to the fastest pass, positive if it was too long; not a number without a prediction
         */
        public double error() {
            return predicted / fastest - 1;
        }
    }

    /**
     * Finds the same program on the fewest ranks.
     *
     * @param of a case
     * @return that with which others are compared: of the same matrix, or with growing matrices of the same one typed
     */
    public Case base(Case of) {
        return cases.stream()
                .filter(other -> other.program().equals(of.program()) && other.unit().equals(of.unit())
                        && other.matrix().equals(of.matrix()) && other.refusal() == null)
                .min(Comparator.comparingInt(Case::ranks)).orElse(of);
    }

    /**
     * Returns the work done a second over that of the fewest ranks.
     *
     * @param of  a case
     * @param variant one of its variants
     * @return how many times as fast; for matrices that grow, entries a second are compared
     */
    public double speedUp(Case of, Variant variant) {
        Case base = base(of);
        double before = base.best().map(Variant::seconds).orElse(Double.NaN);
        return before / variant.seconds() * of.nonZeros() / base.nonZeros();
    }

    /**
     * Returns the share of the ranks that is not lost.
     *
     * @param of  a case
     * @param variant one of its variants
     * @return speed-up over the growth of the ranks
     */
    public double efficiency(Case of, Variant variant) {
        return speedUp(of, variant) * base(of).ranks() / of.ranks();
    }
}
