package org.trellis.cuda.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.algebra.TwoPassBuilder;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.fem.DeviceForms.Interpolation;

/** Makes interpolations where they are needed: the unknowns of elements go to the device, and nothing comes back. */
final class CudaInterpolation {
    private final CudaContext context;
    private final AlgebraLaunch launches;
    private final Precision precision;

    CudaInterpolation(CudaContext context, AlgebraLaunch launches, Precision precision) {
        this.context = context;
        this.launches = launches;
        this.precision = precision;
    }

    @MustBeClosed
    CudaMatrix make(Interpolation data) {
        try (CudaBuffer fine = context.upload(MemorySegment.ofArray(data.fine()));
                CudaBuffer coarse = context.upload(MemorySegment.ofArray(data.coarse()));
                CudaBuffer table = context.upload(MemorySegment.ofArray(data.table()));
                CudaBuffer places = context.buffer((long) data.rows() * Integer.BYTES)) {
            launches.transfer("noPlaces", precision).set(Pointer.COUNTS, places).set(Count.ROWS, data.rows())
                    .run(data.rows());
            launches.transfer("firstPlaces", precision).set(Pointer.LIST, fine).set(Pointer.COUNTS, places)
                    .set(Count.ROWS, data.fine().length).set(Count.LAST, data.rows()).run(data.fine().length);
            return new TwoPassBuilder(launches).make(data.rows(), data.columns(), precision,
                    lengths -> ready("countInterpolation", data, coarse, table, places)
                            .set(Pointer.LENGTHS, lengths).run(data.rows()),
                    (arrays, total) -> {
                        Step step = ready("fillInterpolation", data, coarse, table, places);
                        arrays.accept(step);
                        step.run(data.rows());
                    });
        }
    }

    private Step ready(String function, Interpolation data, CudaBuffer coarse, CudaBuffer table, CudaBuffer places) {
        return launches.transfer(function, precision).set(Pointer.MORE, coarse).set(Pointer.X, table)
                .set(Pointer.COUNTS, places).set(Count.ROWS, data.rows()).set(Count.SIZE, data.perElement())
                .set(Count.FIRST, data.functions()).set(Count.LAST, data.columns()).alpha(data.fields())
                .beta(data.children());
    }
}
