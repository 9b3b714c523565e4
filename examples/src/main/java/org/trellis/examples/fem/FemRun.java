package org.trellis.examples.fem;

import java.util.function.DoubleUnaryOperator;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FunctionErrors;
import org.trellis.fem.Storage;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.sparse.LinearOperator;

/**
 * One solution.
 *
 * @param cells           of the mesh
 * @param unknowns        that were solved for
 * @param chosen          how the system was kept, and what has chosen that
 * @param preconditioner  in words
 * @param setupSeconds    what structure and preconditioner took
 * @param assemblySeconds what the values took, the best of some times
 * @param report          how the solution went
 * @param errors          against the known solution, or null if there is none
 * @param storedBytes     what a product reads beside vectors
 * @param modelBytes      what it moves by the thesis's model
 * @param rounding        the residual that rounding of one product makes, as a share of the right-hand side: unit
 *                        roundoff times the largest diagonal element times the norm of the solution
 */
record FemRun(int cells, int unknowns, FemTuning.Chosen chosen, String preconditioner, double setupSeconds,
        double assemblySeconds, SolveReport report, FunctionErrors errors, long storedBytes, long modelBytes,
        double rounding) {
    /** Returns how the system was kept. */
    FormOptions options() {
        return chosen.options();
    }

    /** Returns how many elements were assembled in a second, 0 if nothing is. */
    double elementsPerSecond() {
        return options().storage() == Storage.MATRIX_FREE ? 0 : cells / assemblySeconds;
    }

    /**
     * Returns the residual that rounding of one product makes.
     *
     * @param a   the matrix, which knows its diagonal
     * @param x   the solution
     * @param b   the right-hand side
     * @param sum adds up over ranks
     * @param max takes the greatest over ranks
     */
    static double rounding(LinearOperator a, HostVector x, double b, DoubleUnaryOperator sum,
            DoubleUnaryOperator max) {
        double square = 0;
        double greatest = 0;
        HostVector diagonal = a.diagonal().orElseThrow();
        for (int k = 0; k < x.length(); k++) {
            square += x.get(k) * x.get(k);
            greatest = Math.max(greatest, Math.abs(diagonal.get(k)));
        }
        return a.precision().unitRoundoff() * max.applyAsDouble(greatest) * Math.sqrt(sum.applyAsDouble(square)) / b;
    }

    double iterationsPerSecond() {
        return report.seconds() > 0 ? report.iterations() / report.seconds() : 0;
    }
}
