package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.SchwarzOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/**
 * Makes preconditioners by name: those of {@link Preconditioners}; {@value #AMG}, algebraic multigrid with the options
 * of {@link MultigridOptions} and {@code block-size}, the unknowns of a node (1); and {@code schwarz} with
 * {@link SchwarzOptions}, whose subdomains are ranks, so that on one rank it is the solver of its local problem.
 */
public final class NamedPreconditioners {
    /** The name of algebraic multigrid. */
    public static final String AMG = "amg";

    /** The option of {@value #AMG} that says how many unknowns a node has. */
    public static final String BLOCK_SIZE = "block-size";

    private NamedPreconditioners() {}

    /**
     * Returns the names.
     *
     * @return {@code none}, those of all smoothers, {@value #AMG} and {@code schwarz}
     */
    public static List<String> names() {
        List<String> names = new ArrayList<>(Preconditioners.names());
        names.add(AMG);
        names.add(SchwarzOptions.NAME);
        return List.copyOf(names);
    }

    /**
     * Returns the options of a preconditioner.
     *
     * @param name its name
     * @return their names, perhaps none
     * @throws IllegalArgumentException if there is no such preconditioner; says which there are
     */
    public static List<String> optionsOf(String name) {
        if (name.equals(SchwarzOptions.NAME)) {
            return SchwarzOptions.names();
        }
        if (!name.equals(AMG)) {
            requireKnown(name);
            return Preconditioners.optionsOf(name);
        }
        List<String> options = new ArrayList<>(MultigridOptions.names());
        options.add(BLOCK_SIZE);
        return List.copyOf(options);
    }

    /**
     * Returns the options with which a preconditioner is symmetric for symmetric matrices, for conjugate gradients.
     *
     * @param name its name
     * @return none but for {@code schwarz}, which over ranks is symmetric in its additive variant
     */
    public static Map<String, String> symmetricOptions(String name) {
        return name.equals(SchwarzOptions.NAME) ? SchwarzOptions.symmetric() : Map.of();
    }

    /**
     * Checks the values of options as far as that can be done without a matrix, which for {@value #AMG} and
     * {@code schwarz} is all of them.
     *
     * @param name    a name
     * @param options options and their values
     * @throws IllegalArgumentException if a value is not what it should be; says what was expected
     */
    public static void check(String name, Map<String, String> options) {
        if (name.equals(AMG)) {
            parse(options);
            MultigridOptions.whole(options, BLOCK_SIZE, 1);
        } else if (name.equals(SchwarzOptions.NAME)) {
            SchwarzOptions.parse(options);
        }
    }

    /**
     * Returns the cycle that options of {@value #AMG} stand for.
     *
     * @param options options and their values
     * @return the shape of the cycle
     * @throws IllegalArgumentException if a name or value is unknown
     */
    public static CycleShape cycle(Map<String, String> options) {
        return parse(options).cycle().shape();
    }

    private static MultigridOptions parse(Map<String, String> options) {
        Map<String, String> others = new LinkedHashMap<>(options);
        others.remove(BLOCK_SIZE);
        return MultigridOptions.parse(others);
    }

    private static void requireKnown(String name) {
        if (!names().contains(name)) {
            throw new IllegalArgumentException(
                    "preconditioner '" + name + "', expected one of " + String.join(", ", names()));
        }
    }

    /**
     * Makes a preconditioner.
     *
     * @param name    one of {@link #names}
     * @param matrix  a square matrix
     * @param product the product of the matrix on the backend; not closed with the preconditioner; null to prepare one
     *                when it is needed
     * @param backend where it is applied
     * @param options options and their values
     * @return a preconditioner that the caller closes; empty for {@code none}
     * @throws IllegalArgumentException if a name, option or value is unknown, or the matrix does not suit it
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     */
    public static Optional<Preconditioner> of(String name, CsrMatrix matrix, LinearOperator product, Backend backend,
            Map<String, String> options) {
        if (name.equals(SchwarzOptions.NAME)) {
            return Optional.of(SchwarzOptions.parse(options).solver(matrix, backend));
        }
        if (!name.equals(AMG)) {
            requireKnown(name);
            return Preconditioners.of(name, matrix, product, backend, options);
        }
        return Optional.of(multigrid(matrix, options, null, backend, new BackendProducts(backend)));
    }

    /**
     * Says that {@link #multigrid} will be called, as {@link Multigrid#announce} does.
     *
     * @param matrix  the matrix
     * @param options options and their values
     * @param backend where it is applied
     * @throws IllegalArgumentException if an option or value is unknown
     */
    public static void announceMultigrid(CsrMatrix matrix, Map<String, String> options, Backend backend) {
        Multigrid.announce(matrix, parse(options), backend);
    }

    /**
     * Makes the preconditioner {@value #AMG}.
     *
     * @param matrix   a square matrix
     * @param options  options and their values
     * @param space    its near null space, which then says how many unknowns a node has; null for constants, or for
     *                 nothing where {@code adaptive-candidates} are found
     * @param backend  where it is applied
     * @param products prepares products of levels and transfers
     * @return multigrid, which the caller closes
     * @throws IllegalArgumentException if an option or value is unknown, the matrix does not suit it, or the near null
     *         space has another length or other nodes than {@code block-size} says
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     */
    public static Multigrid multigrid(CsrMatrix matrix, Map<String, String> options, NearNullSpace space,
            Backend backend, Function<CsrMatrix, SpmvOperator> products) {
        int block = MultigridOptions.whole(options, BLOCK_SIZE, space == null ? 1 : space.blockSize());
        if (space != null && space.blockSize() != block) {
            throw new IllegalArgumentException(
                    "multigrid with " + BLOCK_SIZE + "=" + block + " and a near null space of "
                            + space + ", expected " + BLOCK_SIZE + "=" + space.blockSize() + ", or none");
        }
        MultigridOptions parsed = parse(options);
        NearNullSpace unnamed = parsed.candidates() > 0
                ? NearNullSpace.unknown(matrix.rows(), block)
                : NearNullSpace.constants(matrix.rows(), block);
        return Multigrid.of(matrix, space == null ? unnamed : space, parsed, backend, products);
    }
}
