package org.trellis.bench.adapters.hypre;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Options of hypre's preconditioners that users may set, under the names of its manual. */
enum HypreOption {
    /** Share of the largest coupling of a row from which one is strong. */
    STRONG_THRESHOLD("boomeramg", "SetStrongThreshold", true),
    /** How coarse points are chosen. */
    COARSEN_TYPE("boomeramg", "SetCoarsenType", false),
    /** How values are interpolated. */
    INTERP_TYPE("boomeramg", "SetInterpType", false),
    /** Weights of a row of the interpolation. */
    P_MAX_ELMTS("boomeramg", "SetPMaxElmts", false),
    /** Share of the largest weight of a row below which one is dropped. */
    TRUNC_FACTOR("boomeramg", "SetTruncFactor", true),
    /** The smoother; without it the one of the library's release. */
    RELAX_TYPE("boomeramg", "SetRelaxType", false),
    /** Sweeps of the smoother. */
    NUM_SWEEPS("boomeramg", "SetNumSweeps", false),
    /** Levels that are coarsened aggressively. */
    AGG_NUM_LEVELS("boomeramg", "SetAggNumLevels", false),
    /** Unknowns of a node, each coarsened by itself. */
    NUM_FUNCTIONS("boomeramg", "SetNumFunctions", false),
    /** Limit of the sum of a row above which its couplings are all weak. */
    MAX_ROW_SUM("boomeramg", "SetMaxRowSum", true),
    /** Which ILU. */
    ILU_TYPE("ilu", "SetType", false),
    /** Level of fill. */
    FILL("ilu", "SetLevelOfFill", false);

    private final String preconditioner;
    private final String function;
    private final boolean real;

    HypreOption(String preconditioner, String function, boolean real) {
        this.preconditioner = preconditioner;
        this.function = function;
        this.real = real;
    }

    /** Returns the options of a preconditioner. */
    static List<HypreOption> of(String preconditioner) {
        return Arrays.stream(values()).filter(option -> option.preconditioner.equals(preconditioner)).toList();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String function() {
        return function;
    }

    /** Returns a value as the function takes it: a double or a long. */
    Number number(String value) {
        try {
            if (real) {
                return Double.valueOf(value);
            }
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("option " + label() + " of peer hypre is '" + value + "', expected a "
                    + (real ? "number" : "whole number"), e);
        }
    }
}
