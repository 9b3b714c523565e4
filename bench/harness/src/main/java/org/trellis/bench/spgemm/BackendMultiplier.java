package org.trellis.bench.spgemm;

import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;

/** Trellis' own products in the memory of a backend as contenders. Factors are there before anything is timed. */
final class BackendMultiplier implements TimedMatrixProduct {
    private final Backend backend;
    private final MatrixAlgebra algebra;
    private final boolean again;
    private final List<BackendMatrix> factors = new ArrayList<>();
    private final List<BackendMatrix> structures = new ArrayList<>();
    private BackendMatrix result;

    /**
     * Creates a contender.
     *
     * @param backend the backend
     * @param problem what is multiplied
     * @param again   whether structures are known, as when values change
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    BackendMultiplier(Backend backend, Problem problem, boolean again) {
        this.backend = backend;
        this.algebra = backend.kernels(MatrixAlgebra.class);
        this.again = again;
        problem.factors().forEach(factor -> factors.add(algebra.upload(factor)));
        BackendMatrix product = factors.getLast();
        for (int f = factors.size() - 2; again && f >= 0; f--) {
            product = algebra.multiply(factors.get(f), product);
            structures.add(product);
        }
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this or here
    public void run() {
        release();
        BackendMatrix product = factors.getLast();
        int last = factors.size() - 2;
        for (int f = last; f >= 0; f--) {
            BackendMatrix next = again
                    ? algebra.multiplyAgain(structures.get(last - f), factors.get(f), product)
                    : algebra.multiply(factors.get(f), product);
            if (f < last) {
                product.close();
            }
            product = next;
        }
        result = product;
        backend.optionalKernels(DeviceTiming.class).ifPresent(DeviceTiming::synchronize);
    }

    @Override
    public CsrMatrix result() {
        return result.toCsr();
    }

    private void release() {
        if (result != null) {
            result.close();
            result = null;
        }
    }

    @Override
    public void close() {
        release();
        structures.forEach(BackendMatrix::close);
        factors.forEach(BackendMatrix::close);
    }
}
