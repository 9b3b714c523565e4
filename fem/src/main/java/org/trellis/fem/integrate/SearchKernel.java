package org.trellis.fem.integrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.IncrementMode;
import org.trellis.kernel.KernelSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;

/** Element matrices whose entries are looked for in their rows: CSR without a list of places. */
final class SearchKernel implements LoopKernel {
    private final KernelSignature signature;
    /** With the whole matrix as output, which is what the task computes. */
    private final List<ElementKernel.Port> ports;
    private final int unknowns;
    private final int lanes;
    private final IntFunction<DoubleTask> doubles;
    private final IntFunction<FloatTask> floats;
    private final RowTable table;

    @SuppressWarnings("TooManyParameters") // those of an element kernel, and where to look
    SearchKernel(String name, List<ElementKernel.Port> inputs, int unknowns, int lanes, IntFunction<DoubleTask> doubles,
            IntFunction<FloatTask> floats, RowTable table) {
        List<ArgumentSignature> arguments = new ArrayList<>();
        inputs.forEach(port -> arguments.add(port.signature()));
        arguments.add(new ElementKernel.Port("touched", Access.INCREMENT, 1, unknowns).signature());
        this.signature = new KernelSignature(name, arguments);
        this.ports = new ArrayList<>(inputs);
        this.ports.add(new ElementKernel.Port("k", Access.INCREMENT, 1, unknowns * unknowns));
        this.unknowns = unknowns;
        this.lanes = lanes;
        this.doubles = doubles;
        this.floats = floats;
        this.table = table;
    }

    @Override
    public KernelSignature signature() {
        return signature;
    }

    @Override
    public void call(Object[] arguments) {
        throw new UnsupportedKernelException(signature.name(), "reference",
                "places are looked for by the numbers of unknowns, which this backend does not hand out");
    }

    @Override
    public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
        Optional<String> objection = shape.increment(shape.arity() - 1) == IncrementMode.ADD
                ? objection(style)
                : Optional.of("rows are added to in place, so a scheme that colours is expected");
        objection.ifPresent(reason -> {
            throw new UnsupportedKernelException(signature.name(), style.toString(), reason);
        });
        return precision == Precision.F64
                ? new DoubleSearchLoop(ports, shape, doubles.apply(lanes), table, unknowns)
                : new FloatSearchLoop(ports, shape, floats.apply(lanes), table, unknowns);
    }

    @Override
    public Optional<String> objection(LoopStyle style) {
        return style == LoopStyle.SCALAR ? Optional.empty() : Optional.of("it looks for places of entries");
    }

    @Override
    public String cudaSource() {
        throw new UnsupportedKernelException(signature.name(), "cuda",
                "places are looked for in host memory; expected a scalar form in formulation global-reuse without a "
                        + "scheme or block size, which has kernels of the device's own, or storage csr");
    }
}
