package org.trellis.fem;

import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.Formulation;
import org.trellis.mesh.loop.LoopScheme;

/**
 * How a system is made and kept.
 *
 * @param storage     where the values go
 * @param formulation how integrals are summed up
 * @param precision   of values and vectors
 * @param dirichlet   what becomes of constrained unknowns
 * @param scheme      how elements with common targets are kept apart, or empty for the backend's rule
 * @param blockSize   elements of a block in loops that add through maps, or 0 for the backend's rule
 * @param merged      of {@link Storage#LAZY_ELLPACK}: whether entries of one place are added up after they have been
 *                    appended, so that products read them once; false for other storages
 */
public record FormOptions(Storage storage, Formulation formulation, Precision precision, DirichletMethod dirichlet,
        Optional<LoopScheme> scheme, int blockSize, boolean merged) {
    private static final int LOW_DEGREE = 2;

    /**
     * Checks that nothing is missing.
     *
     * @throws IllegalArgumentException if the block size is negative, or entries of another storage are to be merged
     */
    public FormOptions {
        if (merged && storage != Storage.LAZY_ELLPACK) {
            throw new IllegalArgumentException("entries of storage " + storage.label() + " are to be merged, expected "
                    + Storage.LAZY_ELLPACK.label() + ": no other storage has several of one place");
        }
        Checks.notNegative("block size", blockSize);
        Objects.requireNonNull(storage);
        Objects.requireNonNull(formulation);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(dirichlet);
        Objects.requireNonNull(scheme);
    }

    /**
     * Makes options without special wishes.
     *
     * @param storage     where the values go
     * @param formulation how integrals are summed up
     * @param precision   of values and vectors
     * @return elimination, the backend's scheme
     */
    public static FormOptions of(Storage storage, Formulation formulation, Precision precision) {
        return new FormOptions(storage, formulation, precision, DirichletMethod.ELIMINATE, Optional.empty(), 0, false);
    }

    /**
     * Makes options whose entries are not merged.
     *
     * @param storage     where the values go
     * @param formulation how integrals are summed up
     * @param precision   of values and vectors
     * @param dirichlet   what becomes of constrained unknowns
     * @param scheme      how elements with common targets are kept apart, or empty for the backend's rule
     * @param blockSize   elements of a block in loops that add through maps, or 0 for the backend's rule
     * @throws IllegalArgumentException if the block size is negative
     */
    public FormOptions(Storage storage, Formulation formulation, Precision precision, DirichletMethod dirichlet,
            Optional<LoopScheme> scheme, int blockSize) {
        this(storage, formulation, precision, dirichlet, scheme, blockSize, false);
    }

    /**
     * Proposes storage and formulation in constant time. A product from stored factors moves about
     * {@code d (d + 1) / 2 + 3} numbers for each unknown, whatever the degree p, and a row of a matrix has between
     * {@code (p + 1)^d} and {@code (2 p + 1)^d} entries: so compressed rows for degree 1, in the plane up to 2, and on
     * simplices, whose sums do not factorise; factors beyond. The formulation is that of {@link #formulation}.
     *
     * @param element   the element
     * @param fields    components of the unknown function
     * @param precision of values and vectors
     * @return a proposal
     */
    public static FormOptions defaults(LagrangeElement element, int fields, Precision precision) {
        boolean tensor = element.shape().isTensor() && fields == 1;
        int dimension = element.shape().dimension();
        boolean high = element.degree() > LOW_DEGREE || (dimension == 3 && element.degree() == LOW_DEGREE);
        Storage storage = tensor && high ? Storage.MATRIX_FREE_FACTORED : Storage.CSR;
        return of(storage, formulation(storage, element, fields), precision);
    }

    /**
     * Proposes a formulation for a storage in constant time. Products without a matrix are sums that are factorised
     * wherever they can be: of degree 1 that took 0.5 to 0.8 of the time, of degree 4 a quarter and less (with one
     * exception, cubes of degree 1 whose points are computed each time: 1.3). Element matrices are computed point by
     * point, with inner loops over a row, but from degree 3 in space on they are made by factorised sums, whose
     * operations grow with {@code (p + 1)^7} and not with {@code (p + 1)^9}; below, that took 1.2 to 1.6 times as long.
     *
     * @param storage where the values go
     * @param element the element
     * @param fields  components of the unknown function
     * @return sum factorisation or global reuse
     */
    public static Formulation formulation(Storage storage, LagrangeElement element, int fields) {
        boolean tensor = element.shape().isTensor() && fields == 1;
        boolean free = storage == Storage.MATRIX_FREE || storage == Storage.MATRIX_FREE_FACTORED;
        boolean large = element.shape().dimension() == 3 && element.degree() > LOW_DEGREE;
        return tensor && (free || large) ? Formulation.SUM_FACTORISED : Formulation.GLOBAL_REUSE;
    }

    /**
     * Returns options with another storage.
     *
     * @param value the storage
     * @return changed options
     */
    public FormOptions withStorage(Storage value) {
        return new FormOptions(value, formulation, precision, dirichlet, scheme, blockSize,
                merged && value == Storage.LAZY_ELLPACK);
    }

    /**
     * Returns options with another formulation.
     *
     * @param value the formulation
     * @return changed options
     */
    public FormOptions withFormulation(Formulation value) {
        return new FormOptions(storage, value, precision, dirichlet, scheme, blockSize, merged);
    }

    /**
     * Returns options with another treatment of constrained unknowns.
     *
     * @param value the method
     * @return changed options
     */
    public FormOptions withDirichlet(DirichletMethod value) {
        return new FormOptions(storage, formulation, precision, value, scheme, blockSize, merged);
    }

    /**
     * Returns options with a scheme.
     *
     * @param value the scheme of the loops that add through maps
     * @return changed options
     */
    public FormOptions withScheme(LoopScheme value) {
        return new FormOptions(storage, formulation, precision, dirichlet, Optional.of(value), blockSize, merged);
    }

    /**
     * Returns options that merge or leave entries of one place.
     *
     * @param value whether {@link Storage#LAZY_ELLPACK} adds them up after each assembly
     * @return changed options
     * @throws IllegalArgumentException if entries of another storage are to be merged
     */
    public FormOptions withMerged(boolean value) {
        return new FormOptions(storage, formulation, precision, dirichlet, scheme, blockSize, value);
    }

    /**
     * Returns what rules and tuning choose.
     *
     * @return storage, formulation, scheme and size of blocks
     */
    public FormChoice choice() {
        return new FormChoice(storage, formulation, scheme, blockSize);
    }

    /**
     * Returns options with what a rule or tuning has chosen.
     *
     * @param value storage, formulation, scheme and size of blocks
     * @return changed options of the same precision and treatment of constrained unknowns
     */
    public FormOptions withChoice(FormChoice value) {
        return new FormOptions(value.storage(), value.formulation(), precision, dirichlet, value.scheme(),
                value.blockSize(), merged && value.storage() == Storage.LAZY_ELLPACK);
    }
}
