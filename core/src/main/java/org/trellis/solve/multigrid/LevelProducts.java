package org.trellis.solve.multigrid;

import java.util.function.Function;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * Prepares products of matrices of levels, prolongations and restrictions by methods of its own, as a tuner does.
 * Unlike other functions in {@link MultigridParts#products} it is asked for products of all levels: the matrices of
 * those that a backend has set up are brought to the host for it, once for each set-up or refresh.
 */
@FunctionalInterface
public interface LevelProducts extends Function<CsrMatrix, SpmvOperator> {}
