package org.trellis.solve.smooth;

import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrMatrix;

/**
 * The options of a Schwarz method whose subdomains are the ranks of a job (M. Dryja, O. Widlund, "An additive variant
 * of the Schwarz alternating method for the case of many subregions", Courant Institute report 339, 1987; X.-C. Cai, M.
 * Sarkis, "A restricted additive Schwarz preconditioner for general sparse linear systems", SIAM J. Sci. Comput. 21,
 * 1999). On one rank there is one subdomain, and the preconditioner is the solver of its local problem.
 *
 * @param overlap    how many rings of neighbours' rows a subdomain has beyond its own, 0 for block Jacobi
 * @param local      how the local problem is solved: {@code direct}, or an incomplete factorisation with its usual
 *                   options
 * @param restricted whether a rank keeps its solution on its own rows only; otherwise solutions are added where
 *                   subdomains overlap
 */
public record SchwarzOptions(int overlap, String local, boolean restricted) {
    /** The name of the preconditioner. */
    public static final String NAME = "schwarz";

    private static final String OVERLAP = "overlap";
    private static final String LOCAL = "local";
    private static final String VARIANT = "variant";
    private static final String RESTRICTED = "restricted";
    private static final String ADDITIVE = "additive";
    private static final String DIRECT = Preconditioners.DIRECT;
    private static final String[] LOCALS = {"ic0", "ilu0", "ick", "iluk", "ict", "ilut", DIRECT};
    private static final List<String> NAMES = List.of(OVERLAP, LOCAL, VARIANT);
    private static final int MOST_OVERLAP = 99;

    /**
     * Returns the names of the options.
     *
     * @return {@code overlap} (1), {@code local} ({@code ilu0}) and {@code variant} ({@code restricted})
     */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Returns the options with which the method is symmetric over any number of ranks.
     *
     * @return those that differ from the usual ones
     */
    public static Map<String, String> symmetric() {
        return Map.of(VARIANT, ADDITIVE);
    }

    /**
     * Reads options.
     *
     * @param options options and their values; those that are missing have their defaults
     * @return what they say
     * @throws IllegalArgumentException if an option or a value is unknown; says what there is
     */
    public static SchwarzOptions parse(Map<String, String> options) {
        SmootherOptions given = new SmootherOptions(NAME, options, NAMES);
        return new SchwarzOptions(given.whole(OVERLAP, 1, 0, MOST_OVERLAP),
                given.text(LOCAL, "ilu0", LOCALS),
                given.text(VARIANT, RESTRICTED, RESTRICTED, ADDITIVE).equals(RESTRICTED));
    }

    /**
     * Says whether subdomains' solutions are cut in a way that makes the operator unsymmetric.
     *
     * @return true for the restricted variant with overlap
     */
    public boolean cutsSymmetry() {
        return restricted && overlap > 0;
    }

    /**
     * Prepares the solver of a local problem. {@code direct} is the Cholesky factorisation of a symmetric matrix that
     * has one, and the LU factorisation of others; both work on the host in double precision.
     *
     * @param matrix  a square matrix
     * @param backend where vectors live
     * @return the solver, which the caller closes
     * @throws IllegalArgumentException if the matrix is not symmetric and {@code local} is {@code ic0}
     * @throws FactorisationException   if a pivot has no inverse; names the row
     */
    @SuppressWarnings("MustBeClosed") // returned
    public Preconditioner solver(CsrMatrix matrix, Backend backend) {
        return Preconditioners.of(local, matrix, backend, Map.of()).orElseThrow();
    }

    @Override
    public String toString() {
        return NAME + ", overlap=" + overlap + ", local=" + local + ", variant="
                + (restricted ? RESTRICTED : "additive");
    }
}
