package org.trellis.examples.tsunami;

import java.util.OptionalDouble;
import org.trellis.common.Checks;
import picocli.CommandLine.Option;

/** The options that let the mesh follow the water. */
final class SeaAdaptOptions {
    private static final int USUAL_EVERY = 20;

    @Option(names = "--adapt", description = {
        "Adapt the mesh while the water moves: solve, adapt to the second derivatives of level and bed, carry the",
        "water over, and go on."})
    private boolean adapt;

    @Option(names = "--adapt-every", paramLabel = "N",
            description = "Steps between two adaptations. Default: " + USUAL_EVERY + ".")
    private Integer every;

    @Option(names = "--adapt-elements", paramLabel = "N",
            description = "About how many triangles to have. Default: as many as the mesh.")
    private Integer elements;

    @Option(names = "--adapt-shortest", paramLabel = "H",
            description = "The least length of edges to ask for, in m. Default: an eighth of what equal edges have.")
    private Double shortest;

    @Option(names = "--adapt-longest", paramLabel = "H",
            description = "The greatest, in m. Default: eight times what equal edges have.")
    private Double longest;

    @Option(names = "--adapt-aspect", paramLabel = "A", defaultValue = "4",
            description = "The greatest ratio of lengths in two directions. Default: 4.")
    private double aspect;

    @Option(names = "--adapt-gradation", paramLabel = "G", defaultValue = "1.4",
            description = "The greatest growth of lengths from one edge to the next, above 1. Default: 1.4.")
    private double gradation;

    @Option(names = "--adapt-transfer", paramLabel = "T", defaultValue = "project", description = {
        "How water and bed are carried over: project, which keeps volume and momentum, or interpolate.",
        "Default: project."})
    private String transfer;

    @Option(names = "--adapt-threads", paramLabel = "N", defaultValue = "1",
            description = "Threads that adapt; of no effect on the result. Default: 1.")
    private int threads;

    /**
     * How to adapt.
     *
     * @param every     steps between
     * @param elements  triangles that are requested
     * @param shortest  the least length of edges, if it is given
     * @param longest   the greatest, if it is given
     * @param aspect    the greatest ratio of lengths
     * @param gradation the greatest growth of lengths
     * @param projects  whether volume is kept
     * @param threads   threads that adapt
     */
    record Plan(int every, int elements, OptionalDouble shortest, OptionalDouble longest, double aspect,
            double gradation, boolean projects, int threads) {}

    boolean isAsked() {
        return adapt;
    }

    private static OptionalDouble positive(String option, Double value) {
        if (value != null && !(value > 0)) {
            throw new IllegalArgumentException(option + " is " + value + ", expected more than 0");
        }
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Checks what is given; returns the plan for a mesh of some triangles. */
    Plan plan(int cells) {
        if (!adapt && (every != null || elements != null || shortest != null || longest != null)) {
            throw new IllegalArgumentException("--adapt-every, --adapt-elements, --adapt-shortest and --adapt-longest "
                    + "are for --adapt, expected that too");
        }
        if (!transfer.equals("project") && !transfer.equals("interpolate")) {
            throw new IllegalArgumentException(
                    "--adapt-transfer is '" + transfer + "', expected project or interpolate");
        }
        if (!(aspect >= 1) || !(gradation > 1)) {
            throw new IllegalArgumentException("--adapt-aspect is " + aspect + " and --adapt-gradation " + gradation
                    + ", expected at least 1, and more than 1");
        }
        OptionalDouble least = positive("--adapt-shortest", shortest);
        OptionalDouble greatest = positive("--adapt-longest", longest);
        if (least.isPresent() && greatest.isPresent() && least.getAsDouble() >= greatest.getAsDouble()) {
            throw new IllegalArgumentException("--adapt-shortest is " + least.getAsDouble() + " and --adapt-longest "
                    + greatest.getAsDouble() + ", expected the first below the second");
        }
        return new Plan(Checks.positive("--adapt-every", every == null ? USUAL_EVERY : every),
                Checks.positive("--adapt-elements", elements == null ? cells : elements), least, greatest, aspect,
                gradation, transfer.equals("project"), Checks.positive("--adapt-threads", threads));
    }
}
