package org.trellis.distributed.exchange;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.HostStorage;

/** Where an operand of an exchange is on the host. */
final class HostOperand {
    private final int number;
    private Object array;
    private int offset;
    private int elementStride;
    private int componentStride;

    HostOperand(int number) {
        this.number = number;
    }

    void bind(HostStorage storage, int elements, int components) {
        HostVector vector = (HostVector) storage.vector().orElse(null);
        if (vector == null) {
            bind(storage.array(), 0, elements, components);
        } else {
            bind(vector, elements, components);
        }
    }

    void bind(HostVector vector, int elements, int components) {
        bind(vector.precision() == Precision.F64 ? vector.doubleStorage() : vector.floatStorage(), vector.offset(),
                elements, components);
    }

    void bind(long[] values) {
        bind(values, 0, 1, 1);
    }

    private void bind(Object values, int first, int elements, int components) {
        array = values;
        offset = first;
        elementStride = elements;
        componentStride = components;
    }

    /** Returns the array. */
    Object array() {
        if (array == null) {
            throw new IllegalStateException("operand " + number + " of an exchange was not chosen, expected bind("
                    + number + ", ...) before start()");
        }
        return array;
    }

    /** Returns the place of the first component of the first element. */
    int offset() {
        return offset;
    }

    int elementStride() {
        return elementStride;
    }

    int componentStride() {
        return componentStride;
    }
}
