package org.trellis.examples.poisson;

import java.util.List;
import org.trellis.solve.SolveReport;

/**
 * One solution of one problem.
 *
 * @param size             the problem
 * @param contrast         κ at the right over κ at the left
 * @param variant              how it was solved, in words
 * @param setupSeconds     what preparing took, matrix and preconditioner included
 * @param report           how it went
 * @param iterationSeconds since the beginning of the solution, when each of its iterations was known
 * @param errors           how far it is from the exact solution
 * @param apart            the largest difference from the solution of the first variant, as a share of the largest
 *                         value
 * @param levels           the levels, if there are several
 */
record PoissonRun(Size size, double contrast, String variant, double setupSeconds, SolveReport report,
        List<Double> iterationSeconds, PoissonProblem.Errors errors, double apart,
        List<PoissonVariant.LevelLine> levels) {
    /** Copies the lists. */
    PoissonRun {
        iterationSeconds = List.copyOf(iterationSeconds);
        levels = List.copyOf(levels);
    }

    /**
     * How large a problem is.
     *
     * @param refinements how often triangles were cut into four
     * @param nodes       nodes of the finest mesh
     * @param unknowns    those of them that are inside
     * @param cells       triangles of the finest mesh
     * @param edges       edges of the finest mesh
     */
    record Size(int refinements, int nodes, int unknowns, int cells, int edges) {
        static Size of(PlaneMesh mesh, int refinements) {
            return new Size(refinements, mesh.nodes(), mesh.interiorNodes(), mesh.cells(), mesh.edges());
        }
    }
}
