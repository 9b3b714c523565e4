package org.trellis.cuda.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.algebra.AlgebraLaunch;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.fem.DeviceForms;
import org.trellis.fem.RowStructure;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.Formulation;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.SparsityPattern;

/**
 * Scalar forms on the device. Compressed rows are computed row by row; element matrices, stored factors and nothing are
 * multiplied element by element, by sum factorisation but for matrices.
 */
public final class CudaForms implements DeviceForms {
    private final CudaContext context;
    private final AlgebraLaunch launches;

    /**
     * Creates the forms of a context; kernels are compiled when a form is made ready.
     *
     * @param context the context, which outlives this object
     */
    public CudaForms(CudaContext context) {
        this.context = context;
        this.launches = new AlgebraLaunch(context);
    }

    @Override
    public RowStructure structure(int[] unknowns, int perElement, int rows) {
        context.makeCurrent();
        try (ElementStructure structure = new ElementStructure(context, launches, unknowns, perElement, rows)) {
            return structure.find();
        }
    }

    @Override
    @MustBeClosed
    public BackendMatrix interpolation(Interpolation data, Precision precision) {
        context.makeCurrent();
        return new CudaInterpolation(context, launches, precision).make(data);
    }

    @Override
    public Optional<String> objection(FormKernels kernels, Kept kept, Formulation formulation) {
        if (!kernels.scalar()) {
            return Optional.of("it has several fields or a matrix of its own at the points");
        }
        boolean made = kept == Kept.ROWS || kept == Kept.SEARCHED_ROWS || kept == Kept.MATRICES;
        Formulation has = made ? Formulation.GLOBAL_REUSE : Formulation.SUM_FACTORISED;
        return formulation == has || formulation == Formulation.SUM_FACTORISED
                ? Optional.ofNullable(kernels.objection(formulation))
                : Optional.of("its formulation is " + formulation.label() + ", expected " + has.label()
                        + (made ? " or sum-factorised" : ""));
    }

    @Override
    public void compileAhead(FormKernels kernels, Formulation formulation, Precision precision, Kept kept,
            boolean atomics) {
        context.makeCurrent();
        CudaForm.compileAhead(context, FormShape.of(kernels, formulation, precision, kept, atomics, 0), kept);
    }

    @Override
    @MustBeClosed
    public DeviceForm prepare(Elements elements, Kept kept, SparsityPattern pattern, boolean atomics) {
        objection(elements.kernels(), kept, elements.formulation()).ifPresent(reason -> {
            throw new UnsupportedKernelException("form with " + kept, "cuda", reason);
        });
        return new CudaForm(context, launches, elements, kept, pattern, atomics);
    }
}
