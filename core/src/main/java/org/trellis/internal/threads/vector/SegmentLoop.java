package org.trellis.internal.threads.vector;

import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.memory.HostVector;

/**
 * A generated loop over vectors, without a mesh and without sums. The JIT compiler vectorises loops that index all
 * arrays alike; vectors that begin at the same place of their arrays are run so. Others, parts of vectors, are copied
 * segment by segment to where they do, which is faster than a loop with a place of its own for each array.
 */
final class SegmentLoop {
    /** Elements of a segment: few enough that the copies stay in the first-level cache. */
    private static final int SEGMENT = 1024;

    private final LoopKernel kernel;
    private final Precision precision;
    private final RangeLoop code;
    private final Unit[] units;

    /** What one thread at a time needs. */
    private static final class Unit {
        private final LoopRange range;
        private final LoopArguments arguments;
        private final Object[] copies;

        Unit(LoopKernel kernel) {
            range = new LoopRange(kernel.signature());
            arguments = new LoopArguments(kernel.signature().arity());
            copies = new Object[kernel.signature().arity()];
        }
    }

    /**
     * Makes a loop.
     *
     * @param kernel    a kernel on vectors and numbers, with one component each
     * @param precision of the vectors
     * @param units     how many threads may run it at once
     */
    SegmentLoop(LoopKernel kernel, Precision precision, int units) {
        this.kernel = kernel;
        this.precision = precision;
        LoopShape.Builder shape = LoopShape.of(kernel.signature().arity());
        for (int a = 0; a < kernel.signature().arity(); a++) {
            if (!isVector(a)) {
                shape.strides(a, 0, 1);
            }
        }
        this.code = kernel.loop(LoopStyle.SCALAR, precision, shape.build());
        this.units = new Unit[units];
        for (int u = 0; u < units; u++) {
            this.units[u] = new Unit(kernel);
        }
    }

    private boolean isVector(int argument) {
        return kernel.signature().arguments().get(argument).kind() == ArgumentSignature.Kind.DAT;
    }

    private Access access(int argument) {
        return kernel.signature().arguments().get(argument).access();
    }

    private static Object array(HostVector vector) {
        return vector.precision() == Precision.F64 ? vector.doubleStorage() : vector.floatStorage();
    }

    /**
     * Runs the loop on some elements.
     *
     * @param unit     who runs it
     * @param operands for each argument a {@link HostVector}, or a {@code double[]} that is read
     * @param from     the first element of each vector
     * @param to       the element after the last
     */
    void run(int unit, Object[] operands, int from, int to) {
        Unit own = units[unit];
        int offset = commonOffset(operands);
        for (int a = 0; a < operands.length; a++) {
            if (operands[a] instanceof HostVector vector) {
                own.arguments.data(a, offset >= 0 ? array(vector) : copy(own, a));
            } else {
                own.arguments.data(a, operands[a]);
            }
        }
        if (offset >= 0) {
            code.run(own.arguments, own.range.elements(offset + from, offset + to));
            return;
        }
        for (int first = from; first < to; first += SEGMENT) {
            runSegment(own, operands, first, Math.min(SEGMENT, to - first));
        }
    }

    private Object copy(Unit own, int argument) {
        if (own.copies[argument] == null) {
            own.copies[argument] = precision == Precision.F64 ? new double[SEGMENT] : new float[SEGMENT];
        }
        return own.copies[argument];
    }

    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    private void runSegment(Unit own, Object[] operands, int first, int count) {
        for (int a = 0; a < operands.length; a++) {
            if (operands[a] instanceof HostVector vector && access(a) != Access.WRITE) {
                System.arraycopy(array(vector), vector.offset() + first, own.copies[a], 0, count);
            }
        }
        code.run(own.arguments, own.range.elements(0, count));
        for (int a = 0; a < operands.length; a++) {
            if (operands[a] instanceof HostVector vector && access(a).writes()) {
                System.arraycopy(own.copies[a], 0, array(vector), vector.offset() + first, count);
            }
        }
    }

    /** Returns where all vectors begin in their arrays, or -1 if they begin at different places. */
    private static int commonOffset(Object[] operands) {
        int common = -1;
        for (Object operand : operands) {
            if (operand instanceof HostVector vector) {
                if (common >= 0 && vector.offset() != common) {
                    return -1;
                }
                common = vector.offset();
            }
        }
        return common;
    }
}
