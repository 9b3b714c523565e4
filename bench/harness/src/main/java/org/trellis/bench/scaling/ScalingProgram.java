package org.trellis.bench.scaling;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trellis.bench.powers.PowersSettings;
import org.trellis.solve.krylov.SolverConfig;

/** What is run on more and more ranks. */
public enum ScalingProgram {
    /** Products in a row. */
    PRODUCTS(PowersSettings.Program.PRODUCTS, null, null),
    /** Sweeps of Jacobi's method in a row. */
    JACOBI(PowersSettings.Program.JACOBI, null, null),
    /** Polynomials of Chebyshev's method in a row. */
    CHEBYSHEV(PowersSettings.Program.CHEBYSHEV, null, null),
    /** Iterations of conjugate gradients with the diagonal. */
    CG(null, "cg", "jacobi"),
    /** The same, with reductions beside products. */
    PIPELINED_CG(null, "pipelined-cg", "jacobi"),
    /** The same, with one exchange and one reduction for some iterations. */
    S_STEP(null, "s-step", "jacobi"),
    /** Conjugate gradients with algebraic multigrid, set-up and solution. */
    AMG_CG(null, "cg", "amg");

    private final PowersSettings.Program steps;
    private final String method;
    private final String preconditioner;

    ScalingProgram(PowersSettings.Program steps, String method, String preconditioner) {
        this.steps = steps;
        this.method = method;
        this.preconditioner = preconditioner;
    }

    /**
     * Finds a program.
     *
     * @param text its name on the command line
     * @return the program
     * @throws IllegalArgumentException if there is none of that name; lists those that there are
     */
    public static ScalingProgram of(String text) {
        return Arrays.stream(values()).filter(program -> program.label().equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("program is '" + text + "', expected one of "
                        + Arrays.stream(values()).map(ScalingProgram::label).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the name on the command line.
     *
     * @return small letters with dashes
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what is done in a row, or null for a solver. */
    PowersSettings.Program steps() {
        return steps;
    }

    /** Returns method and preconditioner of a solver. */
    SolverConfig stack() {
        return SolverConfig.of(method, preconditioner);
    }

    /** Returns whether the solution counts, with its set-up, and not an iteration. */
    boolean isWhole() {
        return this == AMG_CG;
    }

    /** Returns whether rings are among its parameters here. */
    boolean takesRings() {
        return steps != null;
    }
}
