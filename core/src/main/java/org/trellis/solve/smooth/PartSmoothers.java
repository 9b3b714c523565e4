package org.trellis.solve.smooth;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.trellis.backend.Backend;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseMatrix;

/**
 * Makes smoothers that treat unknowns that stay on the next level of multigrid (C) and those that do not (F) apart:
 *
 * <table>
 * <caption>names and their options, with what holds if one is not given</caption>
 * <tr><th>name</th><th>options</th></tr>
 * <tr><td>{@code fc-jacobi}, {@code fc-gauss-seidel}</td><td>f-sweeps=2, c-sweeps=1, omega=1</td></tr>
 * </table>
 *
 * <p>Both sweep over F and then over C. They are not symmetric, and have no other direction.
 */
public final class PartSmoothers {
    private static final String JACOBI = "fc-jacobi";
    private static final String GAUSS_SEIDEL = "fc-gauss-seidel";
    private static final String FINE = "f-sweeps";
    private static final String COARSE = "c-sweeps";
    private static final List<String> OPTIONS = List.of(FINE, COARSE, "omega");
    private static final int MAX_COUNT = 1_000_000;

    private PartSmoothers() {}

    /**
     * Returns the names.
     *
     * @return those of all smoothers of parts
     */
    public static List<String> names() {
        return List.of(JACOBI, GAUSS_SEIDEL);
    }

    /**
     * Returns the names of the options that each of them has.
     *
     * @return the names
     */
    public static List<String> options() {
        return OPTIONS;
    }

    /**
     * Checks the values of options.
     *
     * @param name    one of {@link #names}
     * @param options options and their values
     * @throws IllegalArgumentException if a name or value is unknown, or there is no sweep; says what was expected
     */
    public static void check(String name, Map<String, String> options) {
        settings(name, options);
    }

    private static PartSmoother.Settings settings(String name, Map<String, String> options) {
        SmootherOptions given = new SmootherOptions(name, options, OPTIONS);
        PartSmoother.Settings settings = new PartSmoother.Settings(given.omega(1),
                given.whole(FINE, 2, 0, MAX_COUNT), given.whole(COARSE, 1, 0, MAX_COUNT));
        if (settings.fine() + settings.coarse() == 0) {
            throw new IllegalArgumentException("smoother '" + name + "' with f-sweeps=0 and c-sweeps=0, expected at "
                    + "least one sweep");
        }
        return settings;
    }

    /**
     * Makes a smoother.
     *
     * @param name    one of {@link #names}
     * @param matrix  a square matrix, brought to the host if it is not there
     * @param product its product on the backend, not closed with the smoother; null to prepare one when it is needed
     * @param backend where it runs
     * @param options options and their values
     * @param coarse  says which unknowns are C
     * @return a smoother that the caller closes
     * @throws IllegalArgumentException if a name, option or value is unknown, or the matrix is not square
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element has no inverse; names the row
     */
    public static Smoother smoother(String name, SparseMatrix matrix, LinearOperator product, Backend backend,
            Map<String, String> options, IntPredicate coarse) {
        PartSmoother.Settings settings = settings(name, options);
        SmootherContext input = new SmootherContext(name, matrix, product, backend);
        input.requireFinite();
        return switch (name) {
            case JACOBI -> PartSmoother.jacobi(input, coarse, settings);
            case GAUSS_SEIDEL -> PartSmoother.gaussSeidel(input, coarse, settings);
            default -> throw new IllegalArgumentException("smoother '" + name + "', expected one of " + names());
        };
    }
}
