package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/** A matrix as a backend's own kernels multiply it, on the free unknowns. Its products can be parts of graphs. */
final class DeviceOperator extends CheckedOperator {
    private final String name;
    private final DeviceForms.DeviceForm form;
    private final Backend backend;
    private final ElementKernels elements;
    private final VectorSpace space;

    DeviceOperator(String name, Backend backend, Precision precision, int size, DeviceForms.DeviceForm form) {
        this.name = name;
        this.form = form;
        this.backend = backend;
        this.elements = backend.kernels(ElementKernels.class);
        this.space = VectorSpace.of(size, precision, backend.device().space());
    }

    @Override
    public VectorSpace domain() {
        return space;
    }

    @Override
    public VectorSpace range() {
        return space;
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        try (PreparedStep step = form.bind(alpha, x, beta, y)) {
            step.run();
        }
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return form.bind(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        return combine(new DenseVector[]{x, y, w, result}, () -> form.bind(alpha, x, beta, y),
                () -> elements.bindDot(w, y, result, at));
    }

    @Override
    @MustBeClosed
    protected PreparedStep residualStep(DenseVector b, DenseVector x, DenseVector r) {
        return combine(new DenseVector[]{b, x, r}, () -> elements.bindUpdate(1, null, b, 0, r),
                () -> form.bind(-1, x, 1, r));
    }

    @Override
    @MustBeClosed
    protected PreparedStep jacobiStepOf(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        return combine(new DenseVector[]{x, inverseDiagonal, b, y}, () -> elements.bindUpdate(1, null, b, 0, y),
                () -> form.bind(-1, x, 1, y), () -> elements.bindUpdate(omega, inverseDiagonal, y, 0, y),
                () -> elements.bindUpdate(1, null, x, 1, y));
    }

    /** Integrates the diagonal where it is needed. */
    void diagonal(DenseVector into) {
        form.diagonal(into);
    }

    /** Returns the diagonal, integrated when it is asked for. */
    @Override
    public Optional<HostVector> diagonal() {
        HostVector host = HostVector.zeros(space.precision(), space.length());
        try (DenseVector there = backend.vector(space.precision(), space.length())) {
            form.diagonal(there);
            there.copyTo(host);
        }
        return Optional.of(host);
    }

    @Override
    public String toString() {
        return name;
    }
}
