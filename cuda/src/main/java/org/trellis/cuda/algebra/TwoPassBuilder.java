package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;

/** Makes matrices whose row lengths are counted first and whose rows are filled then. */
public final class TwoPassBuilder {
    private final AlgebraLaunch launches;

    /**
     * Creates a maker.
     *
     * @param launches launches of the context
     */
    public TwoPassBuilder(AlgebraLaunch launches) {
        this.launches = launches;
    }

    /** Fills a matrix whose arrays there are. */
    @FunctionalInterface
    public interface Filling {
        /**
         * Queues what fills it.
         *
         * @param arrays sets the result's offsets, columns and values of a launch
         * @param total  the number of entries
         */
        void fill(Consumer<Step> arrays, int total);
    }

    /**
     * Makes a matrix.
     *
     * @param rows      number of rows
     * @param columns   number of columns
     * @param precision the type of values
     * @param counting  queues what stores the lengths of the rows in a buffer
     * @param filling   fills it
     * @return a matrix that the caller closes
     * @throws IllegalStateException if there are more entries than one segment holds
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    public CudaMatrix make(int rows, int columns, Precision precision, Consumer<CudaBuffer> counting,
            Filling filling) {
        CudaContext context = launches.context();
        CudaBuffer[] arrays = new CudaBuffer[3];
        try (CudaBuffer lengths = context.buffer(RowScan.ints(rows))) {
            counting.accept(lengths);
            RowScan scan = RowScan.of(launches, lengths, rows);
            arrays[0] = scan.offsets();
            return filled(arrays, new CudaMatrix.Sizes(rows, columns, scan.total(), precision), filling);
        } catch (RuntimeException | Error e) {
            CudaMatrix.closeAll(arrays);
            throw e;
        }
    }

    /** Makes a matrix whose offsets are there, which it takes over. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or by the caller
    CudaMatrix filled(CudaBuffer[] arrays, CudaMatrix.Sizes sizes, Filling filling) {
        CudaContext context = launches.context();
        arrays[1] = context.buffer(RowScan.ints(sizes.nonZeros()));
        arrays[2] = context.buffer((long) sizes.nonZeros() * sizes.precision().bytes());
        filling.fill(step -> step.set(Pointer.OFFSETS, arrays[0]).set(Pointer.COLUMNS, arrays[1])
                .set(Pointer.VALUES, arrays[2]), sizes.nonZeros());
        return new CudaMatrix(context, sizes, arrays);
    }

    /**
     * Makes a matrix of the structure of another one, which both share.
     *
     * @param structure the other one
     * @param filling   fills the values
     * @return a matrix that the caller closes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    public CudaMatrix copying(CudaMatrix structure, Filling filling) {
        return like(structure, structure.precision(), filling);
    }

    /**
     * Makes a matrix of the structure of another one, which both share, perhaps of another precision.
     *
     * @param structure the other one
     * @param precision the type of the values
     * @param filling   fills the values
     * @return a matrix that the caller closes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the result, or here
    public CudaMatrix like(CudaMatrix structure, Precision precision, Filling filling) {
        CudaMatrix.Sizes sizes = new CudaMatrix.Sizes(structure.rows(), structure.columns(),
                (int) structure.nonZeros(), precision);
        CudaBuffer offsets = structure.rowOffsets();
        CudaBuffer columns = structure.columnIndices();
        CudaBuffer values = launches.context().buffer((long) sizes.nonZeros() * precision.bytes());
        try {
            filling.fill(step -> step.set(Pointer.OFFSETS, offsets).set(Pointer.COLUMNS, columns).set(Pointer.VALUES,
                    values), sizes.nonZeros());
            return new CudaMatrix(launches.context(), sizes, structure.structure().share(), values);
        } catch (RuntimeException | Error e) {
            values.close();
            throw e;
        }
    }
}
