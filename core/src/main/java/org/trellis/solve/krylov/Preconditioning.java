package org.trellis.solve.krylov;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** Preconditioners by name. */
final class Preconditioning {
    private Preconditioning() {}

    static List<String> names() {
        return List.of("none", "jacobi");
    }

    static Optional<Preconditioner> of(String name, CsrMatrix matrix, LinearOperator product, Backend backend,
            Map<String, String> options) {
        new MethodOptions("preconditioner " + name, List.of(), options);
        return switch (name) {
            case "none" -> Optional.empty();
            case "jacobi" -> Optional.of(JacobiPreconditioner.of(matrix, backend));
            default -> throw new IllegalArgumentException(
                    "preconditioner '" + name + "', expected one of " + String.join(", ", names()));
        };
    }
}
