package org.trellis.systems;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NamedPreconditioners;

/**
 * A preconditioner with its options, as a value; most are smoothers of multigrid, too.
 *
 * <pre>{@code
 * Solvers.cg(a).preconditioner(ssor(1.2)).solve(b);
 * Solvers.cg(a).multigrid(m -> m.smoother(chebyshev(3))).solve(b);
 * }</pre>
 *
 * @param name    the name that files and the command line have for it
 * @param options its options, those that are not named as by default
 */
public record Preconditioning(String name, Map<String, String> options) {
    /**
     * Checks names and, as far as that can be done without a matrix, values.
     *
     * @throws IllegalArgumentException if the preconditioner or an option is unknown; says what there is
     */
    public Preconditioning {
        Objects.requireNonNull(name);
        options = Map.copyOf(options);
        List<String> known = NamedPreconditioners.optionsOf(name);
        for (String option : options.keySet()) {
            if (!known.contains(option)) {
                throw new IllegalArgumentException("preconditioner " + name + " has no option '" + option
                        + "', expected one of " + known);
            }
        }
        NamedPreconditioners.check(name, options);
    }

    /**
     * Names a preconditioner by the name that files and the command line have for it.
     *
     * @param name one of {@link SolverConfig#preconditioners}
     * @return the preconditioner with its default options
     * @throws IllegalArgumentException if there is none of that name; says which there are
     */
    public static Preconditioning of(String name) {
        return new Preconditioning(name, Map.of());
    }

    /**
     * Returns none at all.
     *
     * @return the identity
     */
    public static Preconditioning none() {
        return of("none");
    }

    /**
     * Returns Jacobi's: the inverse of the diagonal.
     *
     * @return the preconditioner
     */
    public static Preconditioning jacobi() {
        return of("jacobi");
    }

    /**
     * Returns the inverse of the sums of magnitudes of rows, which converges as a smoother of every definite matrix.
     *
     * @return the preconditioner
     */
    public static Preconditioning l1Jacobi() {
        return of("l1-jacobi");
    }

    /**
     * Returns the inverses of blocks on the diagonal.
     *
     * @param size rows of a block, at least 1
     * @return the preconditioner
     */
    public static Preconditioning blockJacobi(int size) {
        return of("block-jacobi").with("block-size", size);
    }

    /**
     * Returns a polynomial of Chebyshev in the Jacobi-preconditioned matrix.
     *
     * @param degree products for each application, at least 1
     * @return the preconditioner
     */
    public static Preconditioning chebyshev(int degree) {
        return of("chebyshev").with("degree", degree);
    }

    /**
     * Returns a sweep of Gauss and Seidel forwards and one backwards, by colours.
     *
     * @return the preconditioner
     */
    public static Preconditioning gaussSeidel() {
        return of("gauss-seidel");
    }

    /**
     * Returns symmetric successive over-relaxation.
     *
     * @param omega the relaxation factor, between 0 and 2
     * @return the preconditioner
     */
    public static Preconditioning ssor(double omega) {
        return of("ssor").with("omega", omega);
    }

    /**
     * Returns the incomplete Cholesky factorisation without fill.
     *
     * @return the preconditioner
     */
    public static Preconditioning ic0() {
        return of("ic0");
    }

    /**
     * Returns the incomplete LU factorisation without fill.
     *
     * @return the preconditioner
     */
    public static Preconditioning ilu0() {
        return of("ilu0");
    }

    /**
     * Returns the factorised sparse approximate inverse.
     *
     * @return the preconditioner
     */
    public static Preconditioning fsai() {
        return of("fsai");
    }

    /**
     * Returns the diagonal sparse approximate inverse.
     *
     * @return the preconditioner
     */
    public static Preconditioning spai0() {
        return of("spai0");
    }

    /**
     * Sets an option.
     *
     * @param option its name
     * @param value  its value
     * @return another preconditioner
     * @throws IllegalArgumentException if there is no such option; says which there are
     */
    public Preconditioning with(String option, Object value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(option, value.toString());
        return new Preconditioning(name, more);
    }

    /** Returns the name with its options after commas, as multigrid's option {@code smoother} takes it. */
    String asSmoother() {
        return options.isEmpty()
                ? name
                : name + options.entrySet().stream().sorted(Map.Entry.comparingByKey())
                        .map(option -> "," + option.getKey() + "=" + option.getValue()).collect(Collectors.joining());
    }

    @Override
    public String toString() {
        return asSmoother();
    }
}
