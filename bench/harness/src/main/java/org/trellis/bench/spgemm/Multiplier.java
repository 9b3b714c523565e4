package org.trellis.bench.spgemm;

import java.util.ArrayList;
import java.util.List;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixProduct;

/** Trellis' own products as contenders. */
final class Multiplier implements TimedMatrixProduct {
    private final Problem problem;
    private final List<CsrMatrix> structures = new ArrayList<>();
    private final boolean again;
    private CsrMatrix result;

    /**
     * Creates a contender.
     *
     * @param problem what is multiplied
     * @param again   whether structures are known, as when values change
     */
    Multiplier(Problem problem, boolean again) {
        this.problem = problem;
        this.again = again;
        List<CsrMatrix> factors = problem.factors();
        CsrMatrix product = factors.getLast();
        for (int f = factors.size() - 2; again && f >= 0; f--) {
            product = MatrixProduct.multiply(factors.get(f), product);
            structures.add(product);
        }
    }

    @Override
    public void run() {
        result = again ? problem.again(structures) : problem.multiply();
    }

    @Override
    public CsrMatrix result() {
        return result;
    }

    @Override
    public void close() {
        result = null;
    }
}
