package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/**
 * Makes preconditioners by name: those of {@link Preconditioners}, and {@value #AMG}, algebraic multigrid with the
 * options of {@link MultigridOptions} and {@code block-size}, the unknowns of a node (1).
 */
public final class NamedPreconditioners {
    /** The name of algebraic multigrid. */
    public static final String AMG = "amg";

    private static final String BLOCK_SIZE = "block-size";

    private NamedPreconditioners() {}

    /**
     * Returns the names.
     *
     * @return {@code none}, those of all smoothers, and {@value #AMG}
     */
    public static List<String> names() {
        List<String> names = new ArrayList<>(Preconditioners.names());
        names.add(AMG);
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
        if (!name.equals(AMG)) {
            requireKnown(name);
            return Preconditioners.optionsOf(name);
        }
        List<String> options = new ArrayList<>(MultigridOptions.names());
        options.add(BLOCK_SIZE);
        return List.copyOf(options);
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
        if (!name.equals(AMG)) {
            requireKnown(name);
            return Preconditioners.of(name, matrix, product, backend, options);
        }
        Map<String, String> others = new LinkedHashMap<>(options);
        int block = MultigridOptions.whole(options, BLOCK_SIZE, 1);
        others.remove(BLOCK_SIZE);
        return Optional.of(Multigrid.of(matrix, NearNullSpace.constants(matrix.rows(), block), others, backend));
    }
}
