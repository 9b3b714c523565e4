package org.trellis.examples.fem;

import org.trellis.fem.FormOptions;
import org.trellis.fem.FunctionErrors;
import org.trellis.fem.Storage;
import org.trellis.solve.SolveReport;

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
 */
record FemRun(int cells, int unknowns, FemTuning.Chosen chosen, String preconditioner, double setupSeconds,
        double assemblySeconds, SolveReport report, FunctionErrors errors, long storedBytes, long modelBytes) {
    /** Returns how the system was kept. */
    FormOptions options() {
        return chosen.options();
    }

    /** Returns how many elements were assembled in a second, 0 if nothing is. */
    double elementsPerSecond() {
        return options().storage() == Storage.MATRIX_FREE ? 0 : cells / assemblySeconds;
    }

    double iterationsPerSecond() {
        return report.seconds() > 0 ? report.iterations() / report.seconds() : 0;
    }
}
