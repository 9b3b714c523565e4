package org.trellis.fem.integrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.KernelSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;

/**
 * A kernel that reads some data of an element and makes one result: a matrix, a vector, factors. Element matrices of
 * higher degrees have thousands of operations in loops whose indices are no constants, which the kernel language does
 * not unroll; so this kernel is written by hand and its loops are generic. The runtime treats it like any other: every
 * scheme that keeps elements with common targets apart works.
 */
public final class ElementKernel implements LoopKernel {
    private static final String NO_VECTORS =
            "it takes several elements at a time, of which the JIT compiler makes vectors itself";

    private final KernelSignature signature;
    private final List<Port> ports;
    private final IntFunction<DoubleTask> doubles;
    private final IntFunction<FloatTask> floats;
    private final int lanes;
    private final Supplier<String> cuda;
    private final ThreadLocal<DoubleElementLoop.Room> rooms;
    private final DoubleTask single;

    /**
     * One argument.
     *
     * @param name       for messages
     * @param access     what the kernel does with it: {@code READ}; of the last one {@code WRITE} or {@code INCREMENT}
     * @param components of one element
     * @param entries    1 for the element itself, otherwise those of a map
     */
    record Port(String name, Access access, int components, int entries) {
        int size() {
            return components * entries;
        }

        boolean adds() {
            return access == Access.INCREMENT;
        }

        ArgumentSignature signature() {
            return new ArgumentSignature(name, ArgumentSignature.Kind.DAT, access, ArgumentSignature.Type.REAL,
                    components, entries, -1, 1);
        }
    }

    /**
     * Creates a kernel.
     *
     * @param name    for messages and reports
     * @param ports   inputs, and last the output
     * @param lanes   elements that are taken at a time
     * @param doubles makes what computes, for some lanes
     * @param floats  the same in single precision
     * @param cuda    writes the device function
     */
    ElementKernel(String name, List<Port> ports, int lanes, IntFunction<DoubleTask> doubles,
            IntFunction<FloatTask> floats, Supplier<String> cuda) {
        List<ArgumentSignature> arguments = new ArrayList<>();
        ports.forEach(port -> arguments.add(port.signature()));
        this.signature = new KernelSignature(name, arguments);
        this.ports = List.copyOf(ports);
        this.lanes = lanes;
        this.doubles = doubles;
        this.floats = floats;
        this.cuda = cuda;
        this.single = doubles.apply(1);
        this.rooms = ThreadLocal.withInitial(() -> new DoubleElementLoop.Room(this.ports, single));
    }

    @Override
    public KernelSignature signature() {
        return signature;
    }

    @Override
    public void call(Object[] arguments) {
        DoubleElementLoop.Room room = rooms.get();
        int last = ports.size() - 1;
        for (int a = 0; a < last; a++) {
            Port port = ports.get(a);
            for (int k = 0; k < port.entries(); k++) {
                double[] row = port.entries() == 1 ? (double[]) arguments[a] : ((double[][]) arguments[a])[k];
                System.arraycopy(row, 0, room.in[a], k * port.components(), port.components());
            }
        }
        single.compute(room.in, room.out, room.work);
        Port port = ports.get(last);
        for (int k = 0; k < port.entries(); k++) {
            double[] row = port.entries() == 1 ? (double[]) arguments[last] : ((double[][]) arguments[last])[k];
            for (int c = 0; c < port.components(); c++) {
                double value = room.out[k * port.components() + c];
                row[c] = port.adds() ? row[c] + value : value;
            }
        }
    }

    @Override
    public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
        objection(style).ifPresent(reason -> {
            throw new UnsupportedKernelException(signature.name(), style.toString(), reason);
        });
        return precision == Precision.F64
                ? new DoubleElementLoop(ports, shape, doubles.apply(lanes))
                : new FloatElementLoop(ports, shape, floats.apply(lanes));
    }

    @Override
    public Optional<String> objection(LoopStyle style) {
        return style == LoopStyle.SCALAR ? Optional.empty() : Optional.of(NO_VECTORS);
    }

    @Override
    public String cudaSource() {
        return cuda.get();
    }

    @Override
    public String toString() {
        return signature.name();
    }
}
