package org.trellis.memory;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * Which vectors something accepts: the domain or the range of an operator.
 *
 * @param length    their number of elements
 * @param precision the type of these
 * @param space     where they live
 * @param numbering what the elements stand for, {@link Numbering#NONE} if that is not known
 */
public record VectorSpace(int length, Precision precision, MemorySpace space, Numbering numbering) {
    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public VectorSpace {
        Checks.notNegative("vector length", length);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(space);
        Objects.requireNonNull(numbering);
    }

    /**
     * Returns the space of plain vectors.
     *
     * @param length    their number of elements
     * @param precision the type of these
     * @param space     where they live
     * @return a space without a numbering
     */
    public static VectorSpace of(int length, Precision precision, MemorySpace space) {
        return new VectorSpace(length, precision, space, Numbering.NONE);
    }

    /**
     * Returns the space of the same vectors in a numbering.
     *
     * @param wanted the numbering
     * @return another space
     */
    public VectorSpace in(Numbering wanted) {
        return new VectorSpace(length, precision, space, wanted);
    }

    /**
     * Says whether vectors of another space are vectors of this one.
     *
     * @param other another space
     * @return true if length, precision and memory space are the same and the numberings fit
     */
    @SuppressWarnings("ReferenceEquality") // memory spaces are compared by identity
    public boolean fits(VectorSpace other) {
        return length == other.length && precision == other.precision && space == other.space
                && numbering.fits(other.numbering);
    }

    /**
     * Refuses a vector that does not belong here.
     *
     * @param operation what is to be done, for the message
     * @param name      the vector's name there
     * @param vector    the vector
     * @throws IllegalArgumentException if length, precision or memory space differ or the numberings do not fit
     * @throws IllegalStateException    if the vector's numbering is not current any more
     */
    @SuppressWarnings("ReferenceEquality") // memory spaces are compared by identity
    public void check(String operation, String name, DenseVector vector) {
        if (vector.length() != length) {
            throw new IllegalArgumentException(
                    operation + ": " + name + " has " + vector.length() + " elements, expected " + length);
        }
        if (vector.precision() != precision) {
            throw new IllegalArgumentException(operation + ": " + name + " has precision " + vector.precision().label()
                    + ", expected that of the matrix, " + precision.label());
        }
        if (vector.space() != space) {
            throw new IllegalArgumentException(operation + ": " + name + " lives on " + vector.space() + ", expected "
                    + space);
        }
        Numbering actual = vector.numbering();
        if (actual != numbering) {
            checkNumbering(operation, name, actual);
        }
    }

    private void checkNumbering(String operation, String name, Numbering actual) {
        numbering.requireCurrent();
        actual.requireCurrent();
        if (!numbering.fits(actual)) {
            throw new IllegalArgumentException(operation + ": " + name + " is bound to " + actual
                    + ", expected a vector bound to " + numbering
                    + "; what is bound to no set fits a set in the user's own order only");
        }
    }

    @Override
    public String toString() {
        return "vectors of " + length + " " + precision.label() + " on " + space
                + (numbering.equals(Numbering.NONE) ? "" : " bound to " + numbering);
    }
}
