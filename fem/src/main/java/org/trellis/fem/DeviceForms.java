package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.Formulation;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.SparsityPattern;

/**
 * Forms by kernels of a backend's own, in which several threads share an element or a row. Backends without it run
 * forms as loops over elements; so do backends that have it, for what it has an objection to.
 */
public interface DeviceForms {
    /** What is stored, and so what is multiplied. */
    enum Kept {
        /** Compressed rows, computed row by row; the product is another's. */
        ROWS,
        /** The same without a list of places, which are looked for in the row. */
        SEARCHED_ROWS,
        /** Element matrices. */
        MATRICES,
        /** Factors at the quadrature points; sums are factorised. */
        FACTORS,
        /** Nothing; sums are factorised. */
        NOTHING
    }

    /**
     * A form on elements. Arrays are not changed.
     *
     * @param kernels      what is integrated
     * @param precision    of values and vectors
     * @param cells        number of elements
     * @param points       of the map of each element
     * @param coordinates  of the points
     * @param coefficients those that are not constant, in the order of the kernels' inputs, components side by side
     * @param unknowns     of each element; those from {@code rows} on are constrained
     * @param rows         number of free unknowns, or of all that are rows
     * @param formulation  how element matrices are computed where they are: for all points and pairs, or by sum
     *                     factorisation
     */
    record Elements(FormKernels kernels, Precision precision, int cells, int[] points, double[] coordinates,
            List<Dat> coefficients, int[] unknowns, int rows, Formulation formulation) {
        /** Checks that nothing is missing. */
        public Elements {
            Objects.requireNonNull(kernels);
            Objects.requireNonNull(precision);
            Objects.requireNonNull(formulation);
            coefficients = List.copyOf(coefficients);
        }
    }

    /**
     * An interpolation from a space to a larger one. Arrays are not changed.
     *
     * @param fine       unknowns of the elements of the larger space, fields of a node side by side; those from
     *                   {@code rows} on are constrained
     * @param perElement their number for each element
     * @param rows       free unknowns of the larger space
     * @param coarse     unknowns of the elements of the smaller space; those from {@code columns} on are constrained
     * @param functions  of the smaller space on an element, without fields
     * @param columns    free unknowns of the smaller space
     * @param fields     of both
     * @param children   elements of the larger space in one of the smaller, one after the other
     * @param table      the functions at the nodes of all children, point by point; zeros are exact
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    record Interpolation(int[] fine, int perElement, int rows, int[] coarse, int functions, int columns, int fields,
            int children, double[] table) {}

    /** A form that is ready. */
    interface DeviceForm extends AutoCloseable {
        /**
         * Computes the values from the coefficients of now.
         *
         * @param values of compressed rows, all of which are overwritten; or null where the form keeps them itself
         */
        void assemble(DenseVector values);

        /**
         * Computes the load of the rows: what the integral of a function and each test function is, elements added in
         * their order unless it is by atomics. Takes room for the values, and for what each element adds, while it
         * runs.
         *
         * @param values of the function at the quadrature points, one element after the other; not changed
         * @param b      the rows, which are overwritten
         */
        void load(double[] values, DenseVector b);

        /**
         * Computes the diagonal from the coefficients of now, integrated in each element.
         *
         * @param d the rows, which are overwritten
         */
        void diagonal(DenseVector d);

        /**
         * Makes the matrix of compressed rows, without the host.
         *
         * @param values as {@link #assemble} computed them; copied
         * @return a matrix that the caller closes
         * @throws IllegalStateException if the form keeps no rows
         */
        @MustBeClosed
        BackendMatrix matrix(DenseVector values);

        /**
         * Makes the step {@code y = alpha A x + beta y}; not for compressed rows.
         *
         * @param alpha factor of the product
         * @param x     free unknowns
         * @param beta  factor of y; if 0, y is overwritten whatever it holds
         * @param y     the result
         * @return a step that the caller closes
         */
        @MustBeClosed
        PreparedStep bind(double alpha, DenseVector x, double beta, DenseVector y);

        /**
         * Makes sweeps over the rows in the order of their colours; not for compressed rows.
         *
         * @param colours the rows by their colours; those of one colour meet in no element
         * @param inverse of the diagonal, for all rows; not closed with the sweeps
         * @return sweeps that the caller closes before this form
         */
        @MustBeClosed
        ColourSweeps sweeps(RowColours colours, DenseVector inverse);

        /**
         * Returns the bytes of values and indices that a product reads.
         *
         * @return bytes
         */
        long storedBytes();

        @Override
        void close();
    }

    /**
     * Says why a form is not available.
     *
     * @param kernels     what is integrated
     * @param kept        what is stored
     * @param formulation how sums are added up
     * @return the reason, or empty
     */
    Optional<String> objection(FormKernels kernels, Kept kept, Formulation formulation);

    /**
     * Finds the structure of the matrix that elements add to.
     *
     * @param unknowns   of all elements, one after the other
     * @param perElement unknowns of an element
     * @param rows       unknowns below this are rows and columns
     * @return the structure that the host's threads would find
     */
    RowStructure structure(int[] unknowns, int perElement, int rows);

    /**
     * Makes the matrix of an interpolation on the device, a row for each free unknown of the larger space.
     *
     * @param data      the spaces
     * @param precision of the values
     * @return the matrix that the host would make, which the caller closes
     * @throws IllegalStateException if it has more entries than a segment of a matrix
     */
    @MustBeClosed
    BackendMatrix interpolation(Interpolation data, Precision precision);

    /**
     * Begins with code that {@link #prepare} will need, and returns at once; does nothing where that does not pay.
     *
     * @param kernels     what is integrated, without objections
     * @param formulation how sums are added up
     * @param precision   of values and vectors
     * @param kept        what is stored: not rows, whose code depends on their lengths
     * @param atomics     whether elements add to results by atomics
     */
    void compileAhead(FormKernels kernels, Formulation formulation, Precision precision, Kept kept, boolean atomics);

    /**
     * Makes a form ready.
     *
     * @param elements the form
     * @param kept     what is stored
     * @param pattern  of compressed rows, or null
     * @param atomics  whether elements add to results by atomics, which gives other bits in each run; otherwise what
     *                 they add is stored and gathered by rows
     * @return the form, which the caller closes
     * @throws org.trellis.common.UnsupportedKernelException if there is an objection
     */
    @MustBeClosed
    DeviceForm prepare(Elements elements, Kept kept, SparsityPattern pattern, boolean atomics);
}
