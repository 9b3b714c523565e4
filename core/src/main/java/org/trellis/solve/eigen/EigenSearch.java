package org.trellis.solve.eigen;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.solve.direct.SymmetricSolver;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.Operators;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixNorms;

/** Carries out what {@link Eigenvalues} asks for. */
final class EigenSearch {
    /** Of the norm of A: what a shift moves by if it is an eigenvalue. */
    private static final double ASIDE = 0x1p-23;
    /** Units of rounding that a recomputed residual may have. */
    private static final int ROUNDINGS = 100;
    private static final int NORM_STEPS = 5;
    /** Exponents of matrices B whose inner products are in range. */
    private static final int ORDINARY = 120;
    /** Vectors of a block beyond those that are requested: at least so many, and one for so many requested. */
    private static final int LEAST_GUARD = 2;
    private static final int GUARDED = 4;

    private final Eigenvalues settings;
    private final LinearOperator operator;
    private final Backend backend;
    private final long size;
    private final long begun = System.nanoTime();
    /** What is closed last, the last first. */
    private final List<AutoCloseable> open = new ArrayList<>();
    private double shift;
    /** The binary logarithm of what B is multiplied by. */
    private int massExponent;

    EigenSearch(Eigenvalues settings, LinearOperator operator, Backend backend) {
        this.settings = settings;
        this.operator = operator;
        this.backend = backend;
        CollectiveClock.of("eigenvalues", operator, backend);
        this.size = VectorSet.wholeSize(backend, operator.rows());
        this.shift = settings.shift;
    }

    EigenPairs find() {
        long free = size - settings.deflated.size();
        if (settings.count > free) {
            throw new IllegalArgumentException(settings.count + " eigenvalues of " + operator + " of " + size
                    + " rows" + (settings.deflated.isEmpty() ? "" : ", " + settings.deflated.size() + " deflated")
                    + ", expected at most as many as rows");
        }
        if (settings.blocks && settings.inverted) {
            throw new IllegalArgumentException("LOBPCG for eigenvalues nearest to " + settings.shift
                    + ", expected smallest() or largest(); nearest() takes a factorisation");
        }
        try {
            LinearOperator mass = mass();
            LinearOperator transformed = settings.blocks ? operator : transformed(mass);
            return search(mass, transformed);
        } finally {
            close();
        }
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // as close() declares it
    private void close() {
        for (AutoCloseable one : open.reversed()) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing " + one, e);
            }
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    /** The matrix of the inner product as an operator, or null. */
    @SuppressWarnings("MustBeClosed") // closed with the others
    private LinearOperator mass() {
        CsrMatrix b = settings.massMatrix;
        if (b == null) {
            return requireFitting(settings.massOperator);
        }
        massExponent = exponent(FiniteInput.largestEntry("inner product", b));
        SpmvOperator prepared = backend.kernels(SparseKernels.class).prepare(scaledMass(operator.precision()));
        return requireFitting(keep(prepared));
    }

    /** An even power of two that brings a number near 1, 0 if it is there. */
    private static int exponent(double largest) {
        int found = largest > 0 ? Math.getExponent(largest) : 0;
        return Math.abs(found) > ORDINARY ? -2 * (found / 2) : 0;
    }

    private CsrMatrix scaledMass(Precision precision) {
        CsrMatrix b = settings.massMatrix;
        return massExponent == 0
                ? b.toPrecision(precision)
                : b.mapValues(value -> Math.scalb(value, massExponent)).toPrecision(precision);
    }

    private LinearOperator requireFitting(LinearOperator mass) {
        if (mass != null && (mass.rows() != operator.rows() || mass.columns() != operator.columns())) {
            throw new IllegalArgumentException("A is " + operator + ", B is " + mass
                    + ", expected matrices of the same shape");
        }
        return mass;
    }

    /**
     * The operator whose eigenvalues of an end are looked for; with a shift that times B, which Lanczos vectors have
     * been multiplied by for their inner products.
     */
    @SuppressWarnings("MustBeClosed") // closed with the others
    private LinearOperator transformed(LinearOperator mass) {
        if (settings.inverted) {
            return settings.inverse == null ? shifted() : settings.inverse;
        }
        return mass == null ? operator : keep(Operators.on(backend).product(inverseOfMass(), operator));
    }

    private LinearOperator inverseOfMass() {
        requireMatrix("B", settings.massMatrix, operator);
        SymmetricSolver solver = SparseCholesky.of(scaledMass(Precision.F64)).solver();
        return HostSolve.of(operator.domain(), backend, x -> {
            solver.solve(x);
            return x;
        });
    }

    private static CsrMatrix requireMatrix(String name, CsrMatrix matrix, LinearOperator operator) {
        if (operator.overRanks()) {
            throw new IllegalArgumentException("factors of " + name + " over ranks, expected a solver over ranks in "
                    + "nearest(sigma, solver), or LOBPCG");
        }
        if (matrix == null) {
            throw new IllegalArgumentException("factors of " + name + ", which is known by products only, expected a "
                    + "matrix; nearest(sigma, solver) and LOBPCG take operators");
        }
        return matrix;
    }

    private CsrMatrix matrix() {
        return settings.matrix == null && operator instanceof SpmvOperator prepared
                ? prepared.matrix().toCsr()
                : settings.matrix;
    }

    private LinearOperator shifted() {
        CsrMatrix a = requireMatrix("A - sigma B", matrix(), operator).toPrecision(Precision.F64);
        if (settings.massOperator != null) {
            requireMatrix("A - sigma B", null, operator);
        }
        SparseLdlt factors;
        try {
            factors = SparseLdlt.of(minusShift(a));
        } catch (FactorisationException e) {
            if (e.reason() != FactorisationException.Reason.PIVOT) {
                throw e;
            }
            double norm = MatrixNorms.infinity(a);
            double ofMass = settings.massMatrix == null ? 1 : MatrixNorms.infinity(settings.massMatrix);
            shift -= ASIDE * (norm > 0 ? norm / ofMass : 1);
            factors = SparseLdlt.of(minusShift(a));
        }
        SymmetricSolver solver = factors.solver();
        return HostSolve.of(operator.domain(), backend, x -> {
            solver.solve(x);
            return x;
        });
    }

    /** Computes A − σ B; entries of B that are multiplied by 0 would fill the factors. */
    private CsrMatrix minusShift(CsrMatrix a) {
        CsrMatrix b = settings.massMatrix == null || shift == 0
                ? CsrMatrix.identity(a.rows(), Precision.F64)
                : settings.massMatrix.toPrecision(Precision.F64);
        return a.combine(1, b, -shift);
    }

    private EigenPairs search(LinearOperator mass, LinearOperator transformed) {
        long free = size - settings.deflated.size();
        EigenPairs found = settings.blocks ? blocks(mass, free) : lanczos(mass, transformed, settings.dimension(free));
        return new EigenPairs(found.values(), found.vectors(), found.residuals(), found.limits(), found.products(),
                found.restarts(), method(mass), (System.nanoTime() - begun) * 1e-9);
    }

    private String method(LinearOperator mass) {
        if (settings.blocks) {
            return "LOBPCG" + (settings.preconditioner == null ? "" : " with " + settings.preconditioner);
        }
        return "thick-restart Lanczos" + (settings.inverted
                ? " with the inverse of A - " + shift + (mass == null ? "" : " B")
                : mass == null ? "" : " with the inverse of B");
    }

    private EigenPairs lanczos(LinearOperator mass, LinearOperator transformed, int dimension) {
        int count = settings.count;
        double tolerance = settings.tolerance(operator.precision());
        try (VectorSet vectors = vectors(KrylovDecomposition.room(settings.deflated.size(), dimension),
                Math.max(count, dimension))) {
            CountedProduct counted = new CountedProduct(transformed, vectors.arithmetic());
            boolean plain = mass == null && !settings.inverted;
            CountedProduct original = plain ? counted : new CountedProduct(operator, vectors.arithmetic());
            Dat[] fixed = orthonormal(vectors, mass, settings.deflated);
            ThickRestartLanczos method = new ThickRestartLanczos(vectors, counted, plain,
                    new KrylovDecomposition.Inner(mass, mass != null && settings.inverted), fixed, settings.which,
                    new RestartedKrylov.Search(count, dimension, size - settings.deflated.size(), tolerance,
                            settings.maximum(size), settings.multiple, settings.inverted));
            Dat[] found = method.run(settings.start);
            double norm = plain ? original.unscaled(method.scale()) : norm(vectors, original);
            EigenSolution solution = new EigenSolution(vectors, original, mass, massExponent);
            double rounding = ROUNDINGS * vectors.roundoff();
            EigenPairs pairs = solution.check(found, count, settings.inverted ? null : settings.which,
                    settings.shift, new EigenSolution.Limits(tolerance, (plain ? 0 : tolerance * norm)
                            + rounding * norm));
            int products = counted.count() + (plain ? 0 : original.count());
            return new EigenPairs(pairs.values(), pairs.vectors(), pairs.residuals(), pairs.limits(), products,
                    method.restarts(), "", 0);
        }
    }

    private EigenPairs blocks(LinearOperator mass, long free) {
        if (settings.which == Which.MAGNITUDE) {
            throw new IllegalArgumentException("LOBPCG for eigenvalues of largest magnitude, expected smallest() or "
                    + "largest()");
        }
        int count = settings.count;
        int block = (int) Math.min(free, count + Math.max(LEAST_GUARD, count / GUARDED));
        double tolerance = settings.tolerance(operator.precision());
        try (VectorSet vectors = vectors(Lobpcg.room(settings.deflated.size(), block), 2 * block)) {
            CountedProduct counted = new CountedProduct(operator, vectors.arithmetic());
            Dat[] fixed = orthonormal(vectors, mass, settings.deflated);
            Lobpcg method = new Lobpcg(vectors, counted, mass, settings.preconditioner, fixed,
                    new Lobpcg.Search(settings.which, count, block, tolerance, settings.maximum(size)));
            Dat[] found = method.run(settings.start);
            EigenPairs pairs =
                    new EigenSolution(vectors, counted, mass, massExponent).check(found, count, settings.which, 0,
                            new EigenSolution.Limits(tolerance,
                                    ROUNDINGS * vectors.roundoff() * counted.unscaled(method.scale())));
            return new EigenPairs(pairs.values(), pairs.vectors(), pairs.residuals(), pairs.limits(), counted.count(),
                    method.iterations(), "", 0);
        }
    }

    @MustBeClosed
    private VectorSet vectors(int most, int to) {
        return new VectorSet(backend, operator.rows(), operator.precision(), most, to);
    }

    /** Makes vectors orthonormal in the inner product. */
    private static Dat[] orthonormal(VectorSet vectors, LinearOperator mass, List<double[]> given) {
        Dat[] all = new Dat[given.size()];
        Dat weighted = mass == null || all.length == 0 ? null : vectors.vector("weighted");
        for (int k = 0; k < all.length; k++) {
            Dat v = vectors.vector("deflated" + k);
            all[k] = v;
            vectors.load(v, HostVector.of(given.get(k)).convert(v.precision()));
            double before = vectors.norm(v);
            vectors.multiply(1 / before, v);
            for (int pass = 0; pass < 2; pass++) {
                if (mass != null) {
                    mass.apply(v.vector(), weighted.vector());
                }
                vectors.subtract(mass == null ? v : weighted, v, all, k, new double[k]);
            }
            double left = vectors.norm(v);
            if (!(left > Math.sqrt(vectors.roundoff()))) {
                throw new IllegalArgumentException("vector " + k + " to be deflated has the length " + before
                        + ", and " + left + " of it is left once those before are taken off, expected linearly "
                        + "independent vectors of finite numbers");
            }
            if (mass != null) {
                mass.apply(v.vector(), weighted.vector());
            }
            vectors.multiply(1 / Math.sqrt(vectors.dot(v, mass == null ? v : weighted)), v);
        }
        return all;
    }

    /** Returns the norm of A − σ B: of a matrix from above, of an operator from below. */
    private double norm(VectorSet vectors, CountedProduct original) {
        CsrMatrix a = operator.overRanks() ? null : matrix();
        if (a == null) {
            return normByProducts(vectors, original);
        }
        CsrMatrix b = settings.massMatrix;
        double ofMass = settings.inverted ? Math.abs(shift) * (b == null ? 1 : MatrixNorms.infinity(b)) : 0;
        return MatrixNorms.infinity(a) + ofMass;
    }

    private static double normByProducts(VectorSet vectors, CountedProduct original) {
        Dat x = vectors.vector("x");
        Dat y = vectors.vector("y");
        vectors.draw(x);
        double norm = 0;
        for (int step = 0; step < NORM_STEPS; step++) {
            double length = vectors.norm(x);
            if (!(length > 0)) {
                break;
            }
            vectors.multiply(1 / length, x);
            original.apply(x.vector(), y.vector());
            norm = Math.max(norm, vectors.norm(y));
            Dat swapped = x;
            x = y;
            y = swapped;
        }
        return original.unscaled(norm);
    }
}
